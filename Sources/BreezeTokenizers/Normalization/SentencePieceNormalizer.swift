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
    /// Bytes that no rule is about: by far the most of a text.
    private var isPlain = [Bool](repeating: false, count: 256)
    /// Whether that is so of the space, which has a rule of its own.
    private var hasPlainSpaces = false

    private struct Part {
        let range: Range<Int>
        /// `nil` where it stays as it is.
        let new: Range<Int>?
    }

    func apply(to text: WorkingText) -> WorkingText {
        let space = escapesSpaces ? WordCut.visibleSpace : [0x20]
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
                let end = plainEnd(bytes, position)
                if position < end {
                    rewriter.keep(position..<end)
                    position = end
                    followsSpace = false
                    continue
                }
                if bytes[position] == 0x20, isPlainSpace(bytes, position) {
                    if !followsSpace { rewriter.replace(position..<position + 1, with: space) }
                    position += 1
                    followsSpace = removesExtraSpaces
                    continue
                }
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

    /// To be called when everything else is there.
    mutating func findPlainBytes() {
        isPlain = map?.isPlain ?? Array(repeating: true, count: 256)
        for byte in isPlain.indices where untouched.begins(with: UInt8(byte)) { isPlain[byte] = false }
        hasPlainSpaces = isPlain[0x20]
        isPlain[0x20] = false
    }

    /// Where the plain bytes from `start` on end. Before other than ASCII a map may know the last of them.
    @inline(__always)
    private func plainEnd(_ bytes: [UInt8], _ start: Int) -> Int {
        var end = start
        while end < bytes.count, isPlain[Int(bytes[end])] { end += 1 }
        return map != nil && start < end && end < bytes.count && bytes[end] >= 0x80 ? end - 1 : end
    }

    @inline(__always)
    private func isPlainSpace(_ bytes: [UInt8], _ position: Int) -> Bool {
        hasPlainSpaces && (map == nil || position + 1 == bytes.count || bytes[position + 1] < 0x80)
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
