import BreezeCore

/// Vectors of one dimension, found by their cosine to another one: every row is looked at, so nothing is missed but what
/// rounding to eight bits changes.
///
/// A value. A copy costs a few words for each 32,768 rows, so a search works on what was there when it began while the
/// owner goes on appending. A row is `dimension` + 17 bytes; 1,000,000 rows of 384 dimensions take 401 MB. Kept in files
/// by ``VectorStore``.
///
/// A row's number stays until ``compact()``; ids are the caller's, and nobody checks that they differ.
public struct VectorIndex: Sendable {
    let layout: SegmentLayout
    /// All but the last are full, or stay as full as they are.
    var segments: [Segment] = []
    /// Changes whenever rows get other numbers.
    public internal(set) var generation = 0

    /// - Throws: ``BreezeError`` with `invalid_parameter` where `dimension` is not within 1 to 65,536.
    public init(dimension: Int) throws {
        self.init(try SegmentLayout(dimension: dimension))
    }

    init(_ layout: SegmentLayout) {
        self.layout = layout
    }

    public var dimension: Int { layout.dimension }
    /// Rows that a search may find.
    public var count: Int { segments.reduce(0) { $0 + $1.liveCount } }
    /// Rows that were removed, or found damaged, and still take their place.
    public var removedCount: Int { segments.reduce(0) { $0 + $1.rows - $1.liveCount } }
    /// Of memory, or of mapped files, that the rows take with their ids and all book-keeping.
    public var bytes: Int { segments.reduce(0) { $0 + $1.bytes } }

    /// The number of words in a bitmap of all rows.
    var wordCount: Int { segments.count * layout.blocks }

    func place(of row: Int) -> (segment: Int, row: Int)? {
        guard row >= 0, row / layout.rows < segments.count else { return nil }
        let place = (segment: row / layout.rows, row: row % layout.rows)
        return segments[place.segment].isLive(place.row) ? place : nil
    }

    /// What the row was appended with; `nil` where there is none, or it was removed.
    public func id(of row: Int) -> Int64? {
        place(of: row).map { segments[$0.segment].id($0.row) }
    }

    /// `nil` where there is none, or it was removed.
    public func vector(of row: Int) -> QuantizedVector? {
        place(of: row).map { segments[$0.segment].vector($0.row) }
    }

    /// Every row whose id is wanted; one pass over all ids.
    public func rows(where isWanted: (Int64) throws -> Bool) rethrows -> RowSet {
        var found = RowSet(for: self)
        for (number, segment) in segments.enumerated() {
            try segment.forEachLive { row in
                if try isWanted(segment.id(row)) { found.insert(number * layout.rows + row) }
            }
        }
        return found
    }

    /// - Returns: the row's number.
    /// - Throws: ``BreezeError`` with `invalid_parameter` where the vector has another dimension, `insufficient_memory`.
    @discardableResult
    public mutating func append(_ vector: QuantizedVector, id: Int64) throws -> Int {
        try check(vector)
        if segments.last?.isFull ?? true { segments.append(try Segment(layout)) }
        let last = segments.count - 1
        try segments[last].append(vector, id: id)
        return last * layout.rows + segments[last].rows - 1
    }

    /// A row that is not there is none afterwards either.
    public mutating func remove(row: Int) {
        guard let place = place(of: row) else { return }
        segments[place.segment].remove(place.row)
    }

    /// Puts another vector in the place of a row's, which gets a new number: what was handed to a search stays as it was.
    /// - Returns: the new row's number; its id is the old one's.
    /// - Throws: ``BreezeError`` with `invalid_parameter` where there is no such row, or the dimension is another one.
    public mutating func replace(row: Int, with vector: QuantizedVector) throws -> Int {
        guard let id = id(of: row) else { throw VectorFault.noRow(row) }
        let new = try append(vector, id: id)
        remove(row: row)
        return new
    }

    /// Gives back the room of removed rows, where a quarter of a segment or more is such; rows get other numbers.
    /// - Throws: ``BreezeError`` with `insufficient_memory`; the index stays as it was.
    public mutating func compact() throws {
        guard segments.contains(where: \.isSparse) else { return }
        var packed = VectorIndex(layout)
        packed.segments = segments.filter { !$0.isSparse && $0.isFull }
        for segment in segments where segment.isSparse || !segment.isFull {
            try segment.forEachLive { try packed.append(segment.vector($0), id: segment.id($0)) }
        }
        segments = packed.segments
        generation += 1
    }

    func check(_ vector: QuantizedVector) throws {
        guard vector.dimension == dimension else {
            throw VectorFault.dimension(vector.dimension, in: dimension)
        }
    }
}

extension Segment {
    /// Whether it is worth to be written anew.
    var isSparse: Bool { (rows - liveCount) * 4 >= rows && rows > liveCount }
}
