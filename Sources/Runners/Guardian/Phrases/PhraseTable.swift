/// The phrases of every rule in one automaton (Aho and Corasick, 1975), which reads each letter once whatever
/// the number of phrases.
///
/// Its alphabet is what is left of a text when everything but letters is taken out, so that spaces within a
/// word, or none between two, make no difference. Letters that a digit or sign may stand for are read alike
/// from either (1 and l as i, 0 as o, 3 as e, 4 and @ as a, 5 and $ as s, 7 as t), in texts and phrases.
final class PhraseTable: Sendable {
    /// A part that a phrase plays in a rule.
    struct Use: Sendable {
        let rule: Int
        let stage: Int
    }

    struct Phrase: Sendable {
        let length: Int
        /// Later stages first, so that a phrase never follows itself; of one stage, the riskier rule.
        let uses: [Use]
        let isNegation: Bool
    }

    /// Letters of the longest phrase.
    static let longest = 64
    static let letterCount = 25
    /// In ``letters``: no letter.
    static let none: UInt8 = 0xFF
    /// In ``letters``: a sign that may stand for a letter and may be none.
    static let uncertain: UInt8 = 0x80

    let rules: [PhraseRule]
    /// Where a rule's stages begin in a list of all stages of all rules.
    let firstStage: [Int]
    /// The letter of a plain character, from 0.
    let letters: [UInt8]
    /// A state's followers, one for each letter.
    let next: [UInt16]
    /// Letters that led to a state.
    let depth: [UInt8]
    /// Where a state's phrases begin in ``found``; one more than there are states.
    let foundStart: [Int32]
    let found: [Phrase]

    init(rules: [PhraseRule], lists: [PhraseList], folding: Folding) {
        self.rules = rules
        var stages = 0
        firstStage = rules.map { rule in
            defer { stages += rule.stages.count }
            return stages
        }
        letters = Self.alphabet()
        var trie = PhraseTrie(letterCount: Self.letterCount)
        for (kind, text) in lists.flatMap(\.spellings) {
            let word = Self.squeeze(text, letters, folding)
            precondition(!word.isEmpty && word.count <= Self.longest, "a phrase of no or too many letters")
            trie.insert(word, kind)
        }
        let automaton = trie.automaton()
        next = automaton.next
        depth = automaton.depth
        foundStart = automaton.foundStart
        found = automaton.found.map { Self.phrase($0.classes, length: $0.length, rules) }
    }

    private static func phrase(_ classes: [PhraseClass], length: Int, _ rules: [PhraseRule]) -> Phrase {
        let uses = rules.indices.flatMap { rule in
            rules[rule].stages.indices.filter { classes.contains(rules[rule].stages[$0]) }
                .map { Use(rule: rule, stage: $0) }
        }
        return Phrase(
            length: length,
            uses: uses.sorted { ($0.stage, rules[$0.rule].risk) > ($1.stage, rules[$1.rule].risk) },
            isNegation: classes.contains(.negatedOverride)
        )
    }

    private static func alphabet() -> [UInt8] {
        var table = [UInt8](repeating: none, count: 256)
        // 25 letters: l is read as i.
        var code: UInt8 = 0
        for letter in UInt8(ascii: "a")...UInt8(ascii: "z") where letter != UInt8(ascii: "l") {
            table[Int(letter)] = code
            table[Int(letter) - 0x20] = code
            code += 1
        }
        let i = table[Int(UInt8(ascii: "i"))]
        table[Int(UInt8(ascii: "l"))] = i
        table[Int(UInt8(ascii: "L"))] = i
        for (sign, letter) in zip("013457@$".utf8, "oieastas".utf8) {
            table[Int(sign)] = table[Int(letter)] | uncertain
        }
        return table
    }

    private static func squeeze(_ text: String, _ letters: [UInt8], _ folding: Folding) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar -> [UInt8] in
            let plain = folding.plain(scalar.value)
            return plain >= Plain.expansion ? folding.expansions[Int(plain - Plain.expansion)] : [plain]
        }
        .map { letters[Int($0)] }.filter { $0 != none }.map { $0 & ~uncertain }
    }

    var byteCount: Int {
        next.count * 2 + depth.count + foundStart.count * 4 + letters.count
            + found.count * MemoryLayout<Phrase>.stride
            + found.reduce(0) { $0 + 32 + $1.uses.count * MemoryLayout<Use>.stride }
    }
}
