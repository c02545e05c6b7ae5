import CVectorSearch

/// Where things lie within a segment: `blocks` blocks of 64 rows, as CVectorSearch.h describes them.
struct SegmentLayout: Hashable, Sendable {
    static let blockRows = VECTOR_BLOCK_ROWS
    /// 13 MB at 384 dimensions: a file that is quickly made and copied, and few of them for a million rows.
    static let usualBlocks = 512

    let dimension: Int
    let blocks: Int

    init(dimension: Int, blocks: Int = Self.usualBlocks) throws {
        try VectorFault.checkDimension(dimension)
        self.dimension = dimension
        self.blocks = blocks
    }

    var rows: Int { blocks * Self.blockRows }
    var blockBytes: Int { VECTOR_BLOCK_VALUES + Self.blockRows * dimension }
    var bytes: Int { blocks * blockBytes }

    /// Offsets from the first block on.
    func idOffset(_ row: Int) -> Int { blockOffset(row) + VECTOR_BLOCK_IDS + row % 64 * 8 }
    func scaleOffset(_ row: Int) -> Int { blockOffset(row) + VECTOR_BLOCK_SCALES + row % 64 * 4 }
    func checkOffset(_ row: Int) -> Int { blockOffset(row) + VECTOR_BLOCK_CHECKS + row % 64 * 4 }
    func valuesOffset(_ row: Int) -> Int {
        blockOffset(row) + VECTOR_BLOCK_VALUES + row % 64 * dimension
    }
    /// Where the values of the first `rows` rows end, and with them all that belongs to these.
    func end(_ rows: Int) -> Int { rows == 0 ? 0 : valuesOffset(rows - 1) + dimension }
    func removedOffset(_ row: Int) -> Int { blockOffset(row) + VECTOR_BLOCK_REMOVED }
    func blockOffset(_ row: Int) -> Int { row / Self.blockRows * blockBytes }
}
