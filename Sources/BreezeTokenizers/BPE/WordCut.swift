/// Where a text without pieces may be cut all the same.
enum WordCut {
    static let visibleSpace = Array("\u{2581}".utf8)

    /// Before each visible space, where no token has one behind another character: then nothing is ever merged
    /// across the beginning of a word.
    static func isPossible(with tokens: [[UInt8]]) -> Bool {
        let space = visibleSpace
        for token in tokens where token.count > space.count {
            var position = 0
            var followsOther = false
            while position < token.count {
                let length = UTF8Decoding.length(token[position])
                let isSpace = token[position..<position + length].elementsEqual(space)
                if isSpace, followsOther { return false }
                followsOther = !isSpace
                position += length
            }
        }
        return true
    }

    @inline(__always)
    static func isSpace(_ text: [UInt8], _ position: Int, _ end: Int) -> Bool {
        text[position] == 0xE2 && end - position >= 3
            && text[position + 1] == 0x96 && text[position + 2] == 0x81
    }

    /// The first of a run of visible spaces begins a word; a run is one.
    @inline(__always)
    static func end(ofWordAt start: Int, in text: [UInt8], _ end: Int) -> Int {
        var position = start
        while position < end, isSpace(text, position, end) { position += 3 }
        while position < end, !isSpace(text, position, end) { position += 1 }
        return position
    }
}
