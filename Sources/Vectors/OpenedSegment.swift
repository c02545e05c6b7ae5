import BreezeCore
import BreezeFiles
import CVectorSearch
import Foundation

/// What a segment's file holds that can be relied on.
struct OpenedSegment {
    let memory: SegmentMemory
    /// What the header says; `nil` where that is damaged.
    let countedRows: Int?
    private(set) var rows = 0
    private(set) var live: [UInt64] = []
    /// Rows that the header counts, and that are not whole or not there.
    private(set) var damaged = 0
    /// Up to the last whole one.
    private var wholeRows = 0

    /// Where it `isVerified`, each row is held against its check, which reads the whole file.
    init(_ descriptor: FileDescriptor, _ url: URL, _ expected: SegmentHeader, isVerified: Bool) throws {
        let layout = expected.layout
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else { throw FileFault.reading(url, errno) }
        guard status.st_size >= SegmentHeader.bytes else {
            throw VectorFault.damaged(url, "it ends within its header")
        }
        let length = min(Int(status.st_size), SegmentHeader.bytes + layout.bytes)
        memory = try SegmentMemory(mapping: descriptor.number, length: length, offset: SegmentHeader.bytes)
        let start = UnsafeRawBufferPointer(
            start: memory.blocks - SegmentHeader.bytes,
            count: SegmentHeader.bytes
        )
        let header = try SegmentHeader(start, from: url)
        guard header == expected else {
            throw VectorFault.damaged(url, "it belongs to another index, or to another place in this one")
        }
        countedRows = header.rows
        let there = Self.rows(within: length - SegmentHeader.bytes, layout)
        let isCounted = header.rows != nil
        read(expected, rows: min(header.rows ?? there, there), isVerified: isVerified || !isCounted)
        damaged += max(0, (header.rows ?? 0) - there)
        if !isCounted { cutEnd() }
    }

    /// Rows that end within `bytes` bytes of blocks.
    private static func rows(within bytes: Int, _ layout: SegmentLayout) -> Int {
        let rest = bytes % layout.blockBytes - layout.valuesOffset(0)
        return bytes / layout.blockBytes * 64 + max(0, rest) / layout.dimension
    }

    private mutating func read(_ header: SegmentHeader, rows: Int, isVerified: Bool) {
        let layout = header.layout
        for first in stride(from: 0, to: rows, by: 64) {
            let count = min(64, rows - first)
            let all: UInt64 = count == 64 ? .max : 1 << UInt64(count) - 1
            let block = memory.blocks + layout.blockOffset(first)
            let (gone, doubtful) = removed(layout.removedOffset(first))
            let whole =
                isVerified
                ? vector_block_whole(block, layout.dimension, UInt32(count), header.place(first)) : all
            live.append(whole & ~gone)
            damaged += (all & (doubtful | ~whole & ~gone)).nonzeroBitCount
            if whole != 0 { wholeRows = first + 64 - whole.leadingZeroBitCount }
        }
        self.rows = rows
    }

    /// Both words are 0 until a row is removed. Where they contradict each other, every row is gone that either of them
    /// calls so.
    private func removed(_ offset: Int) -> (gone: UInt64, doubtful: UInt64) {
        var words: (removed: UInt64, kept: UInt64) = (0, 0)
        // The writer may be between the two; it is not for long.
        for _ in 0..<8 {
            words.removed = memory.blocks.load(fromByteOffset: offset, as: UInt64.self)
            words.kept = memory.blocks.load(fromByteOffset: offset + 8, as: UInt64.self)
            if words.removed == ~words.kept { break }
        }
        guard words != (0, 0) else { return (0, 0) }
        return (words.removed | ~words.kept, words.removed ^ ~words.kept)
    }

    /// Where nobody says how many rows there are, the last whole one is the last.
    private mutating func cutEnd() {
        damaged -= rows - wholeRows
        rows = wholeRows
        live.removeLast(live.count - (rows + 63) / 64)
    }

    func segment(_ layout: SegmentLayout) -> Segment {
        Segment(layout, memory: memory, rows: rows, live: live)
    }
}
