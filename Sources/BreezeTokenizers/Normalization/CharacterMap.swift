/// SentencePiece's `precompiled_charsmap`: a trie of what is replaced (a double array as darts-clone lays it out)
/// and the replacements, each with a zero behind it.
struct CharacterMap: Sendable {
    private let units: [UInt32]
    private let replacements: [UInt8]
    /// Whether a replacement may begin with the byte.
    private var begins = [Bool](repeating: false, count: 256)
    /// ASCII that stays as it is where no other than ASCII follows it.
    private(set) var isPlain = [Bool](repeating: false, count: 256)

    /// - Throws: where the blob's own sizes do not fit.
    init(_ blob: [UInt8]) throws(PatternFault) {
        guard blob.count > 4 else { throw PatternFault(reason: "its character map has \(blob.count) bytes") }
        let size = Self.word(blob, 0)
        guard size > 0, size % 4 == 0, Int(size) <= blob.count - 4 else {
            throw PatternFault(reason: "its character map says \(size) bytes and has \(blob.count - 4)")
        }
        units = stride(from: 4, to: 4 + Int(size), by: 4).map { Self.word(blob, $0) }
        replacements = Array(blob[(4 + Int(size))...])
        guard replacements.last ?? 0 == 0 else {
            throw PatternFault(reason: "its character map has a replacement without an end")
        }
        let root = Self.offset(units[0])
        for byte in 1..<256 where root ^ byte < units.count && Self.label(units[root ^ byte]) == UInt32(byte)
        {
            begins[byte] = true
        }
        for byte in UInt8.min..<0x80 {
            isPlain[Int(byte)] = (UInt8.min..<0x80).allSatisfy { next in
                longestMatch(in: [byte, next], from: 0, to: 2) == nil
            }
        }
    }

    private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }

    private static func offset(_ unit: UInt32) -> Int { Int((unit >> 10) << ((unit & 1 << 9) >> 6)) }
    private static func label(_ unit: UInt32) -> UInt32 { unit & (1 << 31 | 0xFF) }
    private static func hasLeaf(_ unit: UInt32) -> Bool { unit >> 8 & 1 == 1 }

    @inline(__always)
    func mayReplace(_ byte: UInt8) -> Bool { begins[Int(byte)] }

    /// The replacement of the longest text at `start` that has one. A damaged trie leads nowhere.
    func longestMatch(in text: [UInt8], from start: Int, to end: Int) -> (length: Int, new: Range<Int>)? {
        guard begins[Int(text[start])] else { return nil }
        var found: (length: Int, new: Range<Int>)?
        var node = Self.offset(units[0])
        var position = start
        while position < end {
            let byte = text[position]
            node ^= Int(byte)
            guard byte != 0, node < units.count, Self.label(units[node]) == UInt32(byte) else { break }
            let unit = units[node]
            position += 1
            node ^= Self.offset(unit)
            guard node < units.count else { break }
            guard Self.hasLeaf(unit) else { continue }
            let value = Int(units[node] & 0x7FFF_FFFF)
            guard value < replacements.count else { break }
            let last = replacements[value...].firstIndex(of: 0) ?? replacements.count
            found = (position - start, value..<last)
        }
        return found
    }

    func bytes(_ range: Range<Int>) -> ArraySlice<UInt8> { replacements[range] }

    /// As Hugging Face's `Precompiled` does: grapheme by grapheme. A short one is looked up as a whole, and where
    /// that fails scalar by scalar.
    func apply(to text: WorkingText) -> WorkingText {
        text.rewritten { rewriter in
            let bytes = rewriter.source.bytes
            var position = 0
            for character in String(decoding: bytes, as: UTF8.self) {
                let range = position..<position + character.utf8.count
                position = range.upperBound
                if range.count < 6, let new = exactly(bytes, range) {
                    rewriter.replace(range, with: self.bytes(new))
                    continue
                }
                var place = range.lowerBound
                while place < range.upperBound {
                    let scalar = place..<place + UTF8Decoding.length(bytes[place])
                    if let new = exactly(bytes, scalar) {
                        rewriter.replace(scalar, with: self.bytes(new))
                    } else {
                        rewriter.keep(scalar)
                    }
                    place = scalar.upperBound
                }
            }
        }
    }

    /// Hugging Face's takes the shortest match of a prefix for a match of the whole.
    private func exactly(_ text: [UInt8], _ range: Range<Int>) -> Range<Int>? {
        guard begins[Int(text[range.lowerBound])] else { return nil }
        for end in range.dropFirst() {
            if let found = longestMatch(in: text, from: range.lowerBound, to: end) { return found.new }
        }
        return longestMatch(in: text, from: range.lowerBound, to: range.upperBound)?.new
    }
}
