/// Reads a FlatBuffers message that a stranger may have made: every offset, table and vector is held against
/// the message's end before it is used.
///
/// Offsets may point at the same table again and again, so that a small file could describe billions of
/// elements: what is looked at in all is bounded by the file's size, too.
final class FlatBufferReader {
    private let file: PagedFile
    private let size: Int
    private var effort: Int

    /// How often an honest message may be looked at, byte for byte: vtables and texts are shared by many.
    private static let effortPerByte = 32
    private static let leastEffort = 1 << 16

    /// `size` bytes from the front of the file are the message.
    init(_ file: PagedFile, size: Int) {
        self.file = file
        self.size = size
        effort = Self.leastEffort + min(size, Int(Int32.max)) * Self.effortPerByte
    }

    func root() throws -> Table {
        let start: UInt32 = try integer(at: 0)
        return try Table(self, at: Int(start))
    }

    fileprivate func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self, at offset: Int) throws
        -> Value
    {
        let width = MemoryLayout<Value>.size
        try check(offset, width)
        try spend(width)
        return try file.integer(at: offset)
    }

    fileprivate func check(_ offset: Int, _ length: Int) throws {
        guard offset >= 0, length >= 0, offset <= size - length else {
            throw FormatFault("it points at byte \(offset) and has \(size): it is cut short or damaged")
        }
    }

    fileprivate func spend(_ count: Int) throws {
        effort -= count
        guard effort >= 0 else { throw FormatFault("it describes the same bytes again and again") }
    }

    /// Where the offset that stands at `place` points.
    fileprivate func target(of place: Int) throws -> Int {
        let offset: UInt32 = try integer(at: place)
        guard offset > 0 else { throw FormatFault("an offset at byte \(place) points nowhere") }
        return place + Int(offset)
    }

    fileprivate func text(at start: Int) throws -> String {
        let length: UInt32 = try integer(at: start)
        try check(start + 4, Int(length))
        try spend(min(Int(length), PagedFile.longestText))
        return try file.text(start + 4..<start + 4 + Int(length))
    }
}

extension FlatBufferReader {
    /// A table's fields by their number in the schema; one that is not there has the schema's default.
    struct Table {
        private let reader: FlatBufferReader
        private let start: Int
        private let length: Int
        private let vtable: Int
        private let fieldCount: Int

        fileprivate init(_ reader: FlatBufferReader, at start: Int) throws {
            let back: Int32 = try reader.integer(at: start)
            let vtable = start - Int(back)
            let size: UInt16 = try reader.integer(at: vtable)
            let length: UInt16 = try reader.integer(at: vtable + 2)
            guard size >= 4, size % 2 == 0, length >= 4 else {
                throw FormatFault("the table at byte \(start) is none")
            }
            try reader.check(vtable, Int(size))
            try reader.check(start, Int(length))
            self.reader = reader
            self.start = start
            self.length = Int(length)
            self.vtable = vtable
            fieldCount = (Int(size) - 4) / 2
        }

        func integer<Value: FixedWidthInteger>(_ field: Int, default missing: Value = 0) throws -> Value {
            guard let place = try place(of: field, width: MemoryLayout<Value>.size) else { return missing }
            return try reader.integer(at: place)
        }

        func double(_ field: Int) throws -> Double {
            Double(bitPattern: try integer(field, default: UInt64(0)))
        }

        func text(_ field: Int) throws -> String? {
            try target(of: field).map { try reader.text(at: $0) }
        }

        func table(_ field: Int) throws -> Table? {
            try target(of: field).map { try Table(reader, at: $0) }
        }

        /// A vector whose elements have `width` bytes: 4 for offsets to tables and texts.
        func vector(_ field: Int, width: Int = 4) throws -> Vector? {
            try target(of: field).map { try Vector(reader, at: $0, width: width) }
        }

        private func target(of field: Int) throws -> Int? {
            try place(of: field, width: 4).map { try reader.target(of: $0) }
        }

        private func place(of field: Int, width: Int) throws -> Int? {
            guard field < fieldCount else { return nil }
            let offset: UInt16 = try reader.integer(at: vtable + 4 + 2 * field)
            guard offset > 0 else { return nil }
            guard Int(offset) >= 4, Int(offset) + width <= length else {
                throw FormatFault("field \(field) of the table at byte \(start) lies outside it")
            }
            return start + Int(offset)
        }
    }

    struct Vector {
        let count: Int
        private let reader: FlatBufferReader
        private let start: Int
        private let width: Int

        fileprivate init(_ reader: FlatBufferReader, at place: Int, width: Int) throws {
            let count: UInt32 = try reader.integer(at: place)
            try reader.check(place + 4, Int(count) * width)
            self.reader = reader
            self.count = Int(count)
            self.width = width
            start = place + 4
        }

        /// Where its elements lie in the file.
        var range: Range<Int> { start..<start + count * width }

        func integers<Value: FixedWidthInteger>(_: Value.Type = Value.self) throws -> [Value] {
            precondition(MemoryLayout<Value>.size == width, "elements of the vector's own width")
            return try (0..<count).map { try reader.integer(at: start + $0 * width) }
        }

        func forEachTable(_ body: (Table) throws -> Void) throws {
            for index in 0..<count { try body(table(index)) }
        }

        func table(_ index: Int) throws -> Table {
            guard (0..<count).contains(index) else {
                throw FormatFault("it names element \(index) of \(count)")
            }
            return try Table(reader, at: try reader.target(of: start + 4 * index))
        }
    }
}
