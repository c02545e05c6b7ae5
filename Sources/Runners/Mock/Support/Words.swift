/// Words as the mocks count tokens: what stands between white space, and each Chinese or Japanese character,
/// with the punctuation that follows it.
enum Words {
    /// Takes the first word off, with the white space before it, so that joined the words are the text; white space
    /// at the end goes with the last. A text without a word has none.
    static func takeFirst(of text: inout Substring) -> Substring? {
        guard let end = endOfFirst(in: text) else { return nil }
        let first = isBlank(text[end...]) ? text : text[..<end]
        text = text[first.endIndex...]
        return first
    }

    static func count(in text: String) -> Int {
        sequence(state: text[...], next: takeFirst).reduce(0) { count, _ in count + 1 }
    }

    private static func endOfFirst(in text: Substring) -> Substring.Index? {
        // What a plain character is takes no look into Unicode's tables, and most words are of these alone.
        var isInWord = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            guard byte < 0x80 else { return endOfAnyFirst(in: text) }
            let isSpace = isPlainSpace(byte)
            if isSpace, isInWord { return index }
            if !isSpace { isInWord = true }
        }
        return isInWord ? text.endIndex : nil
    }

    private static func endOfAnyFirst(in text: Substring) -> Substring.Index? {
        var scanner = Scanner()
        let end = text.indices.first { scanner.wordEnds(before: text[$0]) }
        return end ?? (scanner.isInWord ? text.endIndex : nil)
    }

    private static func isBlank(_ text: Substring) -> Bool {
        for byte in text.utf8 {
            guard byte < 0x80 else { return text.allSatisfy(\.isWhitespace) }
            guard isPlainSpace(byte) else { return false }
        }
        return true
    }

    private static func isPlainSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    static func isIdeograph(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: true
        default: false
        }
    }

    private struct Scanner {
        /// Whether the piece so far holds more than white space.
        var isInWord = false
        private var isAfterIdeograph = false

        mutating func wordEnds(before character: Character) -> Bool {
            let isSpace = character.isWhitespace
            let isIdeograph = Words.isIdeograph(character)
            defer {
                isInWord = !isSpace
                // Punctuation stays with the word, and the word stays the character's.
                if isSpace || isIdeograph || character.isLetter || character.isNumber {
                    isAfterIdeograph = isIdeograph
                }
            }
            guard isInWord else { return false }
            return isSpace || isIdeograph || isAfterIdeograph && (character.isLetter || character.isNumber)
        }
    }
}
