/// The phrases of one language. Written as people write them: case, marks and spaces do not matter, and an
/// umlaut stands for both of its spellings.
struct PhraseList: Sendable {
    /// Phrases apart by commas.
    let phrases: [(PhraseClass, String)]

    static let all: [PhraseList] = [
        english, englishAttacks, german, french, spanish, italian, portuguese, dutch,
    ]

    /// Every spelling of every phrase, with its class.
    var spellings: [(class: PhraseClass, text: String)] {
        phrases.flatMap { kind, list in
            list.split(separator: ",").flatMap { phrase in
                Self.spellings(of: String(phrase)).map { (kind, $0) }
            }
        }
    }

    private static let umlauts: [(Character, String)] = [("ä", "ae"), ("ö", "oe"), ("ü", "ue")]

    private static func spellings(of phrase: String) -> [String] {
        let spelt = umlauts.reduce(phrase) { text, umlaut in
            text.split(separator: umlaut.0, omittingEmptySubsequences: false).joined(separator: umlaut.1)
        }
        return spelt == phrase ? [phrase] : [phrase, spelt]
    }
}
