/// A word of a ``FoldedText``, as far as a vocabulary knows it.
struct FoldedWord {
    /// In the folded text.
    var range: Range<Int>
    /// What it is; negative where no vocabulary has it.
    var exact: Int32 = -1
    /// The stem that it begins with; negative where there is none.
    var stem: Int32 = -1
    /// Whether a sentence or a paragraph ended before it.
    var isFirst = false
    /// Whether its letters were written apart, or with something unseen between them.
    var isTaken = false
}

/// The words that patterns are made of.
///
/// They are known by a hash of 64 bits: that another word has the same is no harm, since it tells the reader of one
/// message more than there is.
struct WordVocabulary {
    private(set) var exact: [UInt64: Int32] = [:]
    private(set) var stems: [UInt64: Int32] = [:]
    private var filter: [UInt64] = Array(repeating: 0, count: 64)
    private var next: Int32 = 0

    static let comma: Int32 = 0
    static let longest = 24

    init() {
        // A comma, and a colon alike.
        _ = number(for: [0x2C], isStem: false)
    }

    mutating func number(for word: [UInt32], isStem: Bool) -> Int32 {
        let hash = word.reduce(Self.seed, Self.step)
        if let known = isStem ? stems[hash] : exact[hash] { return known }
        defer { next += 1 }
        if isStem { stems[hash] = next } else { exact[hash] = next }
        filter[Int(hash >> 58)] |= 1 << (hash >> 52 & 63)
        return next
    }

    static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    /// FNV-1a, by scalars.
    static func step(_ hash: UInt64, _ scalar: UInt32) -> UInt64 {
        let mixed = (hash ^ UInt64(scalar)) &* 0x0000_0100_0000_01B3
        return mixed ^ mixed >> 29
    }

    func mayHave(_ hash: UInt64) -> Bool { filter[Int(hash >> 58)] >> (hash >> 52 & 63) & 1 == 1 }
}

/// Tells the words of a folded text apart. Han and Kana are words of one letter each.
struct WordReader {
    private let scalars: [UInt32]
    private let text: FoldedText
    private let vocabulary: WordVocabulary
    private(set) var words: [FoldedWord] = []
    private var isFirst = true

    init(_ text: FoldedText, _ vocabulary: WordVocabulary) {
        self.text = text
        scalars = text.scalars
        self.vocabulary = vocabulary
        words.reserveCapacity(scalars.count / 6)
        var at = 0
        while at < scalars.count { at = read(at) }
    }

    /// Where to go on.
    private mutating func read(_ at: Int) -> Int {
        let scalar = scalars[at]
        if !Self.isLetter(scalar) {
            passOver(at)
            return at + 1
        }
        if Self.isSyllable(scalar) {
            add(at..<at + 1)
            return at + 1
        }
        let letters = spaced(at)
        if let last = letters.last {
            segment(letters)
            return last + 1
        }
        var end = at + 1
        while end < scalars.count, Self.isLetter(scalars[end]), !Self.isSyllable(scalars[end]) { end += 1 }
        add(at..<end)
        return end
    }

    private mutating func passOver(_ at: Int) {
        switch scalars[at] {
        case 0x2C, 0x3A, 0x3001:
            words.append(FoldedWord(range: at..<at + 1, exact: WordVocabulary.comma, isFirst: isFirst))
            isFirst = false
        case 0x2E, 0x21, 0x3F:
            if at + 1 >= scalars.count || Self.isSpace(scalars[at + 1]) { isFirst = true }
        case 0x3002: isFirst = true
        // A line without anything in it.
        case 0x0A: if at + 1 < scalars.count, scalars[at + 1] == 0x0A { isFirst = true }
        default: break
        }
    }

    private mutating func add(_ range: Range<Int>) {
        var word = FoldedWord(range: range, isFirst: isFirst)
        isFirst = false
        var hash = WordVocabulary.seed
        for place in range.prefix(WordVocabulary.longest) {
            hash = WordVocabulary.step(hash, scalars[place])
            if vocabulary.mayHave(hash), let stem = vocabulary.stems[hash] { word.stem = stem }
        }
        if range.count <= WordVocabulary.longest, vocabulary.mayHave(hash) {
            word.exact = vocabulary.exact[hash] ?? -1
        }
        if range.count > 1 {
            let source = text.source(of: range)
            if source.count != range.count, text.hidesSomething(source) {
                word.isTaken = true
                if word.exact < 0, word.stem < 0 {
                    isFirst = word.isFirst
                    segment(Array(range))
                    return
                }
            }
        }
        words.append(word)
    }

    /// `i g n o r e`, `i-g-n-o-r-e`: places of at least five letters that stand alone, with one character between them.
    private func spaced(_ start: Int) -> [Int] {
        guard isAlone(start), start + 2 < scalars.count, isAlone(start + 2), Self.isGap(scalars[start + 1])
        else {
            return []
        }
        var places = [start]
        var at = start + 2
        while at < scalars.count, Self.isGap(scalars[at - 1]), isAlone(at) {
            places.append(at)
            at += 2
        }
        return places.count >= 5 ? places : []
    }

    private func isAlone(_ at: Int) -> Bool {
        (0x61...0x7A).contains(scalars[at]) && (at == 0 || !Self.isLetter(scalars[at - 1]))
            && (at + 1 >= scalars.count || !Self.isLetter(scalars[at + 1]))
    }

    /// The longest known words that letters in a row make; what is between them is left out.
    private mutating func segment(_ places: [Int]) {
        var at = 0
        while at < places.count {
            var hash = WordVocabulary.seed
            var found: (end: Int, exact: Int32, stem: Int32)?
            var stem: Int32 = -1
            for end in at..<min(at + WordVocabulary.longest, places.count) {
                hash = WordVocabulary.step(hash, scalars[places[end]])
                guard end > at, vocabulary.mayHave(hash) else { continue }
                let exact = vocabulary.exact[hash] ?? -1
                let longer = vocabulary.stems[hash]
                stem = longer ?? stem
                if exact >= 0 || longer != nil { found = (end, exact, stem) }
            }
            guard let found else {
                at += 1
                continue
            }
            words.append(
                FoldedWord(
                    range: places[at]..<places[found.end] + 1,
                    exact: found.exact,
                    stem: found.stem,
                    isFirst: isFirst,
                    isTaken: true
                )
            )
            isFirst = false
            at = found.end + 1
        }
    }

    static func isLetter(_ value: UInt32) -> Bool {
        if value < 0x80 { return (0x30...0x39).contains(value) || (0x61...0x7A).contains(value) }
        return Unicode.Scalar(value).map(WordFolding.isWordScalar) ?? false
    }

    private static func isSyllable(_ value: UInt32) -> Bool {
        (0x3040...0x30FF).contains(value) || (0x3400...0x9FFF).contains(value) || value == 0x3005
            || (0x20000...0x3FFFF).contains(value)
    }

    static func isSpace(_ value: UInt32) -> Bool { value == 0x20 || (0x09...0x0D).contains(value) }

    private static func isGap(_ value: UInt32) -> Bool {
        switch value {
        case 0x20, 0x2D, 0x2E, 0x5F, 0x2A, 0x7C, 0xB7: true
        default: false
        }
    }
}
