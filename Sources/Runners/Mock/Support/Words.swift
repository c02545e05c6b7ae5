/// Words as the mocks count tokens: what stands between white space, and each Chinese or Japanese character,
/// with the punctuation that follows it.
enum Words {
    /// The words with the white space before them, so that joined they are the text; white space at the end
    /// goes with the last. A text without a word has none.
    static func split(_ text: String) -> [Substring] {
        var words: [Substring] = []
        var start = text.startIndex
        var scanner = Scanner()
        for index in text.indices where scanner.wordEnds(before: text[index]) {
            words.append(text[start..<index])
            start = index
        }
        if scanner.isInWord {
            words.append(text[start...])
        } else if let last = words.popLast() {
            words.append(text[last.startIndex...])
        }
        return words
    }

    static func count(in text: String) -> Int {
        var scanner = Scanner()
        let ended = text.count { scanner.wordEnds(before: $0) }
        return ended + (scanner.isInWord ? 1 : 0)
    }

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
