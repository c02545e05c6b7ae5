/// SentencePiece's own normaliser (`normalizer.cc`): characters by the model's map, white space made visible.
struct SentencePieceNormalizer: Sendable {
    var map: CharacterMap?
    var addsPrefix = true
    var removesExtraSpaces = true
    var escapesSpaces = true
    /// The visible space ends a word and does not begin it.
    var spaceIsSuffix = false
    /// Tokens that are looked for in the raw text and stay as they are.
    var untouched = TokenTable()

    private static let visibleSpace = Array("\u{2581}".utf8)

    private struct Part {
        let range: Range<Int>
        /// `nil` where it stays as it is.
        let new: Range<Int>?
    }

    func apply(to text: WorkingText) -> WorkingText {
        let space = escapesSpaces ? Self.visibleSpace : [0x20]
        return text.rewritten { rewriter in
            let bytes = rewriter.source.bytes
            var hashes: [UInt64] = []
            var position = 0
            while removesExtraSpaces, position < bytes.count {
                let part = part(bytes, position, &hashes)
                guard content(part, bytes).elementsEqual(CollectionOfOne(0x20)) else { break }
                position = part.range.upperBound
            }
            guard position < bytes.count else { return }
            if addsPrefix, !spaceIsSuffix { rewriter.replace(position..<position, with: space) }
            var followsSpace = removesExtraSpaces
            while position < bytes.count {
                let part = part(bytes, position, &hashes)
                append(part, bytes, space, &followsSpace, &rewriter)
                position = part.range.upperBound
                if !removesExtraSpaces { followsSpace = false }
            }
            while removesExtraSpaces, rewriter.bytes.suffix(space.count).elementsEqual(space) {
                rewriter.dropLast(space.count)
            }
            if addsPrefix, spaceIsSuffix { rewriter.replace(bytes.count..<bytes.count, with: space) }
        }
    }

    private func append(
        _ part: Part,
        _ bytes: [UInt8],
        _ space: [UInt8],
        _ followsSpace: inout Bool,
        _ rewriter: inout WorkingText.Rewriter
    ) {
        if part.new == nil, bytes[part.range.lowerBound] != 0x20 {
            rewriter.keep(part.range)
            followsSpace = false
            return
        }
        var rest = content(part, bytes)
        if followsSpace { rest = rest.drop { $0 == 0x20 } }
        guard let last = rest.last else { return }
        for byte in rest {
            rewriter.replace(part.range, with: byte == 0x20 ? space : [byte])
        }
        followsSpace = last == 0x20
    }

    private func content(_ part: Part, _ bytes: [UInt8]) -> ArraySlice<UInt8> {
        guard let new = part.new, let map else { return bytes[part.range] }
        return map.bytes(new)
    }

    private func part(_ bytes: [UInt8], _ start: Int, _ hashes: inout [UInt64]) -> Part {
        if untouched.count > 0,
            let found = untouched.longestPrefix(of: bytes, from: start, to: bytes.count, hashes: &hashes)
        {
            return Part(range: start..<found.end, new: nil)
        }
        if let found = map?.longestMatch(in: bytes, from: start, to: bytes.count) {
            return Part(range: start..<start + found.length, new: found.new)
        }
        return Part(range: start..<start + UTF8Decoding.length(bytes[start]), new: nil)
    }
}
