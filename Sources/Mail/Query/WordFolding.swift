import Foundation

/// Words as FTS5's unicode61 tokenizer has them with `remove_diacritics 2`: runs of letters and digits,
/// folded.
enum WordFolding {
    /// Letters, numbers and private use; the diacritics that go with them are no words alone.
    static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 128 {
            return (value >= 48 && value <= 57) || (value | 32 >= 97 && value | 32 <= 122)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        case .decimalNumber, .letterNumber, .otherNumber, .privateUse: return true
        default: return false
        }
    }

    /// Calls `body` with each word's place and its folded form; where there are `candidates`, perhaps only with words
    /// that may be of them.
    static func forEachWord(
        in scalars: [Unicode.Scalar],
        of candidates: WordCandidates? = nil,
        _ body: (Range<Int>, String) -> Void
    ) {
        var at = 0
        while at < scalars.count {
            guard isWordScalar(scalars[at]) else {
                at += 1
                continue
            }
            let start = at
            var isASCII = true
            while at < scalars.count, isWordScalar(scalars[at]) || isDiacritic(scalars[at]) {
                isASCII = isASCII && scalars[at].isASCII
                at += 1
            }
            if isASCII, let candidates, !candidates.mayHave(scalars[start], length: at - start) { continue }
            body(start..<at, folded(scalars[start..<at]))
        }
    }

    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        (0x300...0x331).contains(scalar.value)
    }

    private static func folded(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        let text = String(String.UnicodeScalarView(scalars))
        if scalars.allSatisfy(\.isASCII) { return text.lowercased() }
        let parts = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
            !isDiacritic($0)
        }
        return String(String.UnicodeScalarView(parts)).lowercased().precomposedStringWithCanonicalMapping
    }
}

/// By its first letter and its length a word of ASCII is known not to be wanted, which is nearly every word of a text.
struct WordCandidates {
    /// For each length, the first letters of words that are as long; for prefixes, of any that is as long or longer.
    private var letters: [UInt64] = Array(repeating: 0, count: longest + 1)
    private static let longest = 63

    /// Folded words, with whether they may go on.
    init(_ words: [String: Bool]) {
        for (word, isPrefix) in words {
            guard let first = word.unicodeScalars.first, first.isASCII else { continue }
            let length = min(word.unicodeScalars.count, Self.longest)
            let end = isPrefix ? Self.longest : length
            for length in length...end { letters[length] |= Self.bit(first) }
        }
    }

    func mayHave(_ first: Unicode.Scalar, length: Int) -> Bool {
        letters[min(length, Self.longest)] & Self.bit(first) != 0
    }

    /// Letters of either case, and digits, each have their own.
    private static func bit(_ scalar: Unicode.Scalar) -> UInt64 {
        1 << UInt64(scalar.value & 31 | (scalar.value & 64) >> 1)
    }
}
