import BreezeCore
import BreezeFiles
import CVectorSearch
import Foundation

/// A segment's file: its header, and behind it the blocks as they lie in memory.
///
/// Rows are written, then counted: whatever is behind the count was never there, so a process that dies at any byte
/// takes no row with it that was counted before. Nothing is written where another process may be reading it as a row.
struct SegmentFile: Sendable {
    /// Writes bytes at an offset of the file, whole, or throws; another one in the tests, which dies on the way.
    typealias Write = @Sendable (Int32, UnsafeRawBufferPointer, Int, URL) throws -> Void

    private let url: URL
    private let descriptor: FileDescriptor
    private let header: SegmentHeader
    private let write: Write
    private(set) var segment: Segment

    /// Rows that are counted and not whole, or that the file lost.
    private(set) var damaged = 0

    /// Makes a file; one that is there is what a process left that died before it named it.
    init(creating url: URL, _ header: SegmentHeader, write: @escaping Write) throws {
        self.url = url
        self.header = header
        self.write = write
        let file = try FileDescriptor(url, O_RDWR | O_CREAT | O_TRUNC)
        descriptor = file
        try header.encoded.withUnsafeBytes { try write(file.number, $0, 0, url) }
        segment = Segment(
            header.layout,
            memory: try Self.mapped(descriptor, header.layout, url),
            rows: 0,
            live: []
        )
    }

    /// Opens a file to go on writing it, after its end is mended: rows that it lost are counted no more.
    init(opening url: URL, _ expected: SegmentHeader, write: @escaping Write) throws {
        self.url = url
        header = expected
        self.write = write
        descriptor = try FileDescriptor(url, O_RDWR)
        let opened = try OpenedSegment(descriptor, url, expected, isVerified: true)
        let memory = try Self.mapped(descriptor, expected.layout, url)
        segment = Segment(expected.layout, memory: memory, rows: opened.rows, live: opened.live)
        damaged = opened.damaged
        if opened.rows != opened.countedRows { try cut(opened.rows) }
    }

    /// Counts no more than these rows. First, those that come in the places of others are made not removed like these:
    /// who dies in between does it all again.
    private func cut(_ rows: Int) throws {
        for block in rows / 64..<header.layout.blocks {
            let removed = block < segment.live.count ? self.removed(block) : 0
            try write([removed, ~removed], at: header.layout.removedOffset(block * 64))
        }
        try count(rows)
    }

    /// The rows of a block that are no longer live, for whatever reason.
    private func removed(_ block: Int) -> UInt64 {
        let rows = min(64, segment.rows - block * 64)
        return ~segment.live[block] & (rows == 64 ? .max : 1 << UInt64(rows) - 1)
    }

    /// The whole length, since a row that is appended has to be within it. The file is made as long, which takes no
    /// room on the disk.
    private static func mapped(_ descriptor: FileDescriptor, _ layout: SegmentLayout, _ url: URL) throws
        -> SegmentMemory
    {
        let length = SegmentHeader.bytes + layout.bytes
        guard ftruncate(descriptor.number, off_t(length)) == 0 else { throw FileFault.writing(url, errno) }
        return try SegmentMemory(mapping: descriptor.number, length: length, offset: SegmentHeader.bytes)
    }

    /// Appends as many as there is room for, block by block, and counts them all at once.
    /// - Returns: how many.
    mutating func append(_ entries: ArraySlice<VectorEntry>) throws -> Int {
        let entries = entries.prefix(header.layout.rows - segment.rows)
        var next = entries.startIndex
        var row = segment.rows
        while next < entries.endIndex {
            let count = min(64 - row % 64, entries.endIndex - next)
            try write(entries[next..<next + count], at: row)
            (next, row) = (next + count, row + count)
        }
        try count(row)
        segment.grow(by: entries.count)
        return entries.count
    }

    /// Rows of one block.
    private func write(_ entries: ArraySlice<VectorEntry>, at first: Int) throws {
        let layout = header.layout
        var values: [Int8] = []
        values.reserveCapacity(entries.count * layout.dimension)
        var ids: [Int64] = []
        var scales: [Float] = []
        var checks: [UInt32] = []
        for (offset, entry) in entries.enumerated() {
            let place = header.place(first + offset)
            let vector = entry.vector
            checks.append(vector_row_check(place, entry.id, vector.scale, vector.values, layout.dimension))
            values += vector.values
            ids.append(entry.id)
            scales.append(vector.scale)
        }
        try write(values, at: layout.valuesOffset(first))
        try write(ids, at: layout.idOffset(first))
        try write(scales, at: layout.scaleOffset(first))
        try write(checks, at: layout.checkOffset(first))
    }

    private func write<Element>(_ elements: [Element], at offset: Int) throws {
        try elements.withUnsafeBytes { try write(descriptor.number, $0, SegmentHeader.bytes + offset, url) }
    }

    private func count(_ rows: Int) throws {
        try SegmentHeader.encoded(rows: rows).withUnsafeBytes {
            try write(descriptor.number, $0, SegmentHeader.countOffset, url)
        }
    }

    /// Rows that are not there are none afterwards either. Both words are written at once, within one page.
    mutating func remove(_ rows: [Int]) throws {
        for (block, rows) in Dictionary(grouping: rows.filter(segment.isLive), by: { $0 / 64 }) {
            let removed = rows.reduce(self.removed(block)) { $0 | 1 << UInt64($1 % 64) }
            try write([removed, ~removed], at: header.layout.removedOffset(block * 64))
            rows.forEach { segment.remove($0) }
        }
    }

    func sync() throws {
        guard fsync(descriptor.number) == 0 else { throw FileFault.writing(url, errno) }
    }

    @Sendable static func writeAll(
        _ descriptor: Int32,
        _ bytes: UnsafeRawBufferPointer,
        _ offset: Int,
        _ url: URL
    ) throws {
        var (rest, offset) = (bytes, offset)
        while !rest.isEmpty {
            let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFault.writing(url, errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            offset += count
        }
    }
}

extension SegmentHeader {
    /// What no other row of the folder has: the check of a row that stands where it does not belong is wrong.
    func place(_ row: Int) -> UInt64 { number << 32 | UInt64(row) }
}

/// Open as long as somebody has it.
final class FileDescriptor: Sendable {
    let number: Int32

    init(_ url: URL, _ flags: Int32) throws {
        number = open(url.path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard number >= 0 else {
            throw flags & O_RDWR == 0 ? FileFault.reading(url, errno) : FileFault.writing(url, errno)
        }
    }

    deinit { close(number) }
}
