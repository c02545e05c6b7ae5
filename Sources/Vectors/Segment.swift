import CVectorSearch

/// Rows one after the other, and which of them count. A value: copies share the memory, never the bitmap.
struct Segment: Sendable {
    let layout: SegmentLayout
    private(set) var memory: SegmentMemory
    private(set) var rows: Int
    /// A word for each block.
    private(set) var live: [UInt64]
    private(set) var liveCount: Int

    /// Empty, in memory.
    init(_ layout: SegmentLayout) throws {
        self.init(layout, memory: try SegmentMemory(layout), rows: 0, live: [])
    }

    init(_ layout: SegmentLayout, memory: SegmentMemory, rows: Int, live: [UInt64]) {
        self.layout = layout
        self.memory = memory
        self.rows = rows
        self.live = live
        liveCount = live.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    var isFull: Bool { rows == layout.rows }
    /// Of the blocks that hold rows, and of the bitmap.
    var bytes: Int { live.count * (layout.blockBytes + 8) }

    func isLive(_ row: Int) -> Bool { row < rows && live[row / 64] >> UInt64(row % 64) & 1 == 1 }

    func id(_ row: Int) -> Int64 { memory.blocks.load(fromByteOffset: layout.idOffset(row), as: Int64.self) }

    func vector(_ row: Int) -> QuantizedVector {
        let start = memory.blocks + layout.valuesOffset(row)
        let values = UnsafeRawBufferPointer(start: start, count: layout.dimension)
        let scale = memory.blocks.load(fromByteOffset: layout.scaleOffset(row), as: Float.self)
        return QuantizedVector(stored: values.map { Int8(bitPattern: $0) }, scale: scale)
    }

    /// In order.
    func forEachLive(_ body: (Int) throws -> Void) rethrows {
        for block in live.indices {
            var rest = live[block]
            while rest != 0 {
                try body(block * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }

    /// Writes a row into memory; where a copy of this segment did so before, into memory of its own.
    mutating func append(_ vector: QuantizedVector, id: Int64) throws {
        if !memory.claim(rows) {
            let own = try SegmentMemory(layout, claimed: rows + 1)
            own.blocks.copyMemory(from: memory.blocks, byteCount: layout.end(rows))
            memory = own
        }
        memory.blocks.storeBytes(of: id, toByteOffset: layout.idOffset(rows), as: Int64.self)
        memory.blocks.storeBytes(of: vector.scale, toByteOffset: layout.scaleOffset(rows), as: Float.self)
        let place = UnsafeMutableRawBufferPointer(
            start: memory.blocks + layout.valuesOffset(rows),
            count: layout.dimension
        )
        vector.values.withUnsafeBytes { place.copyMemory(from: $0) }
        grow(by: 1)
    }

    /// Counts rows that have been written behind the last one.
    mutating func grow(by count: Int) {
        for row in rows..<rows + count {
            if row % 64 == 0 { live.append(0) }
            live[row / 64] |= 1 << UInt64(row % 64)
        }
        rows += count
        liveCount += count
    }

    mutating func remove(_ row: Int) {
        guard isLive(row) else { return }
        live[row / 64] &= ~(1 << UInt64(row % 64))
        liveCount -= 1
    }
}
