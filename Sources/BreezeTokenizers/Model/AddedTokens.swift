import BreezeCore

/// One entry of a file's list of added tokens.
struct AddedToken {
    let content: [UInt8]
    let id: Int
    let wholeWord: Bool
    /// Looked for after the text is normalised, and not in the raw text.
    let isNormalized: Bool
    /// Stands for something other than its text.
    let isSpecial: Bool
    /// Not in the vocabulary, so that its id is still free.
    var isNew = false

    /// `options` is the entry's JSON object, or the text alone.
    init(content: [UInt8], id: Int, options: StrictJSON, isSpecial: Bool = false) {
        self.content = content
        self.id = id
        wholeWord = options["single_word"]?.bool ?? false
        self.isSpecial = options["special"]?.bool ?? isSpecial
        isNormalized = options["normalized"]?.bool ?? !self.isSpecial
    }
}

/// Tokens such as `[SEP]` that are recognised in the raw text, before it is normalised.
struct AddedTokens: Sendable {
    private var table = TokenTable()
    private var startsToken = [Bool](repeating: false, count: 256)
    /// Those that count only where no letter or digit touches them.
    private var wholeWords: Set<Int32> = []
    private(set) var specials: Set<Int32> = []

    /// `false` when the token is already there.
    mutating func insert(_ token: [UInt8], id: Int32, wholeWord: Bool, isSpecial: Bool) -> Bool {
        guard let first = token.first, table.insert(token, id: id) else { return false }
        startsToken[Int(first)] = true
        if wholeWord { wholeWords.insert(id) }
        if isSpecial { specials.insert(id) }
        return true
    }

    /// Whether a token may begin with this byte: the cheap question, asked for every scalar.
    @inline(__always)
    func mayStart(with byte: UInt8) -> Bool {
        startsToken[Int(byte)]
    }

    /// The longest token at `start`. Its id is `nil` where it is no whole word but has to be one: then it is
    /// ordinary text up to its end, and no other token is looked for in it.
    func match(in text: [UInt8], at start: Int, hashes: inout [UInt64]) -> (id: Int32?, end: Int)? {
        guard let found = table.longestPrefix(of: text, from: start, to: text.count, hashes: &hashes) else {
            return nil
        }
        if wholeWords.contains(found.id), !isWholeWord(in: text, from: start, to: found.end) {
            return (nil, found.end)
        }
        return (found.id, found.end)
    }

    private func isWholeWord(in text: [UInt8], from start: Int, to end: Int) -> Bool {
        if end < text.count, isWordScalar(UTF8Decoding.scalar(in: text, at: end).value) { return false }
        guard start > 0 else { return true }
        var before = start - 1
        while before > 0, text[before] & 0xC0 == 0x80 { before -= 1 }
        return !isWordScalar(UTF8Decoding.scalar(in: text, at: before).value)
    }

    /// What `\w` means in Unicode's regular expressions (UTS #18, annex C).
    private func isWordScalar(_ value: UInt32) -> Bool {
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        if properties.isAlphabetic || properties.isJoinControl { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .connectorPunctuation: return true
        default: return false
        }
    }
}
