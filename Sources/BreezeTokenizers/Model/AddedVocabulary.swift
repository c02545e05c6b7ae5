/// Tokens that are looked for in a text before anything else is done with it, leftmost and longest first.
struct AddedVocabulary: Sendable {
    struct Token: Sendable, Hashable {
        let id: Int32
        let content: [UInt8]
        /// Stands for something other than its own text: `<|im_end|>`.
        var isSpecial = false
        /// Counts only where no letter or digit touches it.
        var isWholeWord = false
        /// Takes the white space before it, and behind it.
        var stripsLeft = false
        var stripsRight = false
    }

    enum Segment {
        case text(Range<Int>)
        case token(Int32, Range<Int>)
    }

    private var table = TokenTable()
    private var tokens: [Int32: Token] = [:]
    /// Bit b of word a: a token may begin with the bytes a, b.
    private var beginnings = [UInt64](repeating: 0, count: 1024)

    var isEmpty: Bool { tokens.isEmpty }

    /// `false` when the same text is already there, or is empty.
    mutating func insert(_ token: Token, lookedForAs content: [UInt8]? = nil) -> Bool {
        let content = content ?? token.content
        guard let first = content.first, table.insert(content, id: token.id) else { return false }
        tokens[token.id] = token
        for second in UInt8.min ... .max where content.count == 1 || content[1] == second {
            let pair = Int(first) << 8 | Int(second)
            beginnings[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        return true
    }

    func segments(of text: [UInt8], parsesSpecial: Bool, _ hashes: inout [UInt64]) -> [Segment] {
        guard !isEmpty else { return [.text(0..<text.count)] }
        var segments: [Segment] = []
        var rest = 0
        var position = 0
        while position < text.count {
            guard mayBegin(text, position),
                let match = table.longestPrefix(of: text, from: position, to: text.count, hashes: &hashes),
                let token = tokens[match.id]
            else {
                position += 1
                continue
            }
            let start = position
            position = match.end
            guard parsesSpecial || !token.isSpecial, !token.isWholeWord || isWord(text, start..<match.end)
            else {
                continue
            }
            let range = stripped(token, text, max(start, rest)..<match.end, from: rest)
            if rest < range.lowerBound { segments.append(.text(rest..<range.lowerBound)) }
            segments.append(.token(token.id, range))
            rest = range.upperBound
            position = max(position, rest)
        }
        if rest < text.count { segments.append(.text(rest..<text.count)) }
        return segments
    }

    @inline(__always)
    private func mayBegin(_ text: [UInt8], _ position: Int) -> Bool {
        let second = position + 1 < text.count ? Int(text[position + 1]) : 0
        let pair = Int(text[position]) << 8 | second
        if beginnings[pair >> 6] >> UInt64(pair & 63) & 1 == 1 { return true }
        return position + 1 == text.count
    }

    private func isWord(_ text: [UInt8], _ range: Range<Int>) -> Bool {
        if range.upperBound < text.count {
            let after = UTF8Decoding.scalar(in: text, at: range.upperBound)
            if UnicodeSets.word.contains(after.value) { return false }
        }
        guard range.lowerBound > 0 else { return true }
        let before = UTF8Decoding.start(ofScalarBefore: range.lowerBound, in: text)
        return !UnicodeSets.word.contains(UTF8Decoding.scalar(in: text, at: before).value)
    }

    private func stripped(_ token: Token, _ text: [UInt8], _ match: Range<Int>, from: Int) -> Range<Int> {
        var (start, end) = (match.lowerBound, match.upperBound)
        while token.stripsLeft, start > from {
            let before = UTF8Decoding.start(ofScalarBefore: start, in: text)
            guard UnicodeSets.whitespace.contains(UTF8Decoding.scalar(in: text, at: before).value) else {
                break
            }
            start = before
        }
        while token.stripsRight, end < text.count {
            let (value, length) = UTF8Decoding.scalar(in: text, at: end)
            guard UnicodeSets.whitespace.contains(value) else { break }
            end += length
        }
        return start..<end
    }
}

extension UTF8Decoding {
    static func start(ofScalarBefore position: Int, in text: [UInt8]) -> Int {
        var start = position - 1
        while start > 0, text[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }
}
