/// Rows of an index, as a bitmap: what a search may answer with.
///
/// Row numbers change when an index is compacted. A set belongs to the generation that it was made for, and a search in
/// another one refuses it.
public struct RowSet: Hashable, Sendable {
    /// ``VectorIndex/generation`` of the index that it names rows of.
    public let generation: Int
    private(set) var words: [UInt64]

    /// Empty.
    public init(for index: VectorIndex) {
        generation = index.generation
        words = Array(repeating: 0, count: index.wordCount)
    }

    public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    public func contains(_ row: Int) -> Bool {
        row >= 0 && row / 64 < words.count && words[row / 64] >> UInt64(row % 64) & 1 == 1
    }

    /// A row that no index has is never an answer.
    /// - Precondition: `row` is not negative.
    public mutating func insert(_ row: Int) {
        if row / 64 >= words.count {
            words.append(contentsOf: repeatElement(0, count: row / 64 + 1 - words.count))
        }
        words[row / 64] |= 1 << UInt64(row % 64)
    }

    public mutating func remove(_ row: Int) {
        guard contains(row) else { return }
        words[row / 64] &= ~(1 << UInt64(row % 64))
    }

    /// With one word for each block that the index has room for, which is what the scan reads.
    func padded(to count: Int) -> [UInt64] {
        words.count >= count ? words : words + repeatElement(0, count: count - words.count)
    }
}

extension RowSet: Sequence {
    /// In ascending order.
    public func makeIterator() -> AnyIterator<Int> {
        var block = 0
        var rest = words.first ?? 0
        return AnyIterator {
            while rest == 0 {
                block += 1
                guard block < words.count else { return nil }
                rest = words[block]
            }
            defer { rest &= rest - 1 }
            return block * 64 + rest.trailingZeroBitCount
        }
    }
}
