/// Where a text without pieces may be cut all the same.
enum WordCut {
    /// The visible space, where no token has one behind another character: then nothing is ever merged across the
    /// beginning of a word. Empty otherwise.
    static func find(in tokens: [[UInt8]], _ table: TokenTable) -> [UInt8] {
        let space = Array("\u{2581}".utf8)
        guard table.id(of: space) != nil else { return [] }
        for token in tokens where token.count > space.count {
            var position = 0
            var followsOther = false
            while position < token.count {
                let length = UTF8Decoding.length(token[position])
                let isSpace = token[position..<position + length].elementsEqual(space)
                if isSpace, followsOther { return [] }
                followsOther = !isSpace
                position += length
            }
        }
        return space
    }
}
