/// A table of a FlatBuffers file. Nothing is read outside the file: an offset that leads there is a
/// ``Damage``.
struct FlatTable {
    struct Damage: Error {
        let reason: String
    }

    private let bytes: UnsafeRawBufferPointer
    private let start: Int
    /// Where the table's layout begins: its own size, the table's size, an offset for each slot.
    private let layout: Int
    private let layoutSize: Int
    private let size: Int

    /// The table that the file begins with.
    init(rootOf bytes: UnsafeRawBufferPointer) throws(Damage) {
        try self.init(bytes, at: try Self.target(bytes, from: 0))
    }

    private init(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(Damage) {
        let layout = start - Int(try Self.load(bytes, start) as Int32)
        let layoutSize = Int(try Self.load(bytes, layout) as UInt16)
        let size = Int(try Self.load(bytes, layout + 2) as UInt16)
        guard layoutSize >= 4, layoutSize % 2 == 0, layout + layoutSize <= bytes.count,
            size >= 4, start + size <= bytes.count
        else { throw Damage(reason: "a table at byte \(start) does not end inside the file") }
        // Those too that nobody here asks for: LiteRT may.
        for entry in stride(from: layout + 4, to: layout + layoutSize, by: 2) {
            let offset = Int(try Self.load(bytes, entry) as UInt16)
            guard offset == 0 || (4..<size).contains(offset) else {
                throw Damage(reason: "a field of the table at byte \(start) lies outside of it")
            }
        }
        self.bytes = bytes
        self.start = start
        self.layout = layout
        self.layoutSize = layoutSize
        self.size = size
    }

    /// The number in a slot; `nil` where the table does not have it, and its default counts.
    func number<Number: FixedWidthInteger>(_ slot: Int) throws(Damage) -> Number? {
        let entry = 4 + slot * 2
        guard entry + 2 <= layoutSize else { return nil }
        let offset = Int(try Self.load(bytes, layout + entry) as UInt16)
        guard offset != 0 else { return nil }
        guard offset >= 4, offset + MemoryLayout<Number>.size <= size else {
            throw Damage(reason: "a field of the table at byte \(start) lies outside of it")
        }
        return try Self.load(bytes, start + offset)
    }

    func has(_ slot: Int) throws(Damage) -> Bool {
        try number(slot) as UInt8? != nil
    }

    func table(_ slot: Int) throws(Damage) -> FlatTable? {
        guard let place = try place(slot) else { return nil }
        return try FlatTable(bytes, at: place)
    }

    func tables(_ slot: Int) throws(Damage) -> [FlatTable] {
        guard let place = try vector(slot, of: 4) else { return [] }
        var tables: [FlatTable] = []
        tables.reserveCapacity(place.count)
        for index in 0..<place.count {
            tables.append(try FlatTable(bytes, at: try Self.target(bytes, from: place.start + index * 4)))
        }
        return tables
    }

    func integers(_ slot: Int) throws(Damage) -> [Int32] {
        guard let place = try vector(slot, of: 4) else { return [] }
        return try (0..<place.count).map { index throws(Damage) in
            try Self.load(bytes, place.start + index * 4)
        }
    }

    /// A text ends with a NUL that its length does not count.
    func text(_ slot: Int) throws(Damage) -> String? {
        guard let place = try vector(slot, of: 1) else { return nil }
        let end = place.start + place.count
        guard try Self.load(bytes, end) == 0 as UInt8 else {
            throw Damage(reason: "a text at byte \(place.start) has no end")
        }
        return String(decoding: bytes[place.start..<end], as: UTF8.self)
    }

    /// Holds a vector to the file's bounds, where the table has it.
    @discardableResult
    func vector(_ slot: Int, of elementSize: Int) throws(Damage) -> (start: Int, count: Int)? {
        guard let place = try place(slot) else { return nil }
        let count = Int(try Self.load(bytes, place) as UInt32)
        guard place + 4 + count * elementSize <= bytes.count else {
            throw Damage(reason: "a list at byte \(place) does not end inside the file")
        }
        return (place + 4, count)
    }

    private func place(_ slot: Int) throws(Damage) -> Int? {
        guard let offset = try number(slot) as UInt32?, offset != 0 else { return nil }
        let field = Int(try Self.load(bytes, layout + 4 + slot * 2) as UInt16)
        return start + field + Int(offset)
    }

    private static func target(_ bytes: UnsafeRawBufferPointer, from place: Int) throws(Damage) -> Int {
        place + Int(try load(bytes, place) as UInt32)
    }

    private static func load<Number: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer,
        _ place: Int
    ) throws(Damage) -> Number {
        guard place >= 0, place + MemoryLayout<Number>.size <= bytes.count else {
            throw Damage(reason: "it ends before byte \(place)")
        }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
}
