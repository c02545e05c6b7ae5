/// A FlatBuffers message before it has bytes: as much of the format as a `.tflite` file needs.
enum FlatBuffer {
    /// A table's fields by their number in the schema.
    typealias Table = KeyValuePairs<Int, Value>

    indirect enum Value {
        /// As if the field were not named: it has the schema's default.
        case absent
        /// Also a flag, and the kind of table that a union holds.
        case byte(UInt8)
        case int32(Int)
        case float(Float)
        case text(String)
        case int32s([Int])
        case table(Table)
        case tables([Table])
        /// By its place among the message's vectors, whose elements follow by other means.
        case vector(Int)
    }

    /// The shape of a vector that is too large for memory, or whose content is not known yet.
    struct Vector {
        let count: Int
        let elementSize: Int
        /// Of the first element, from the front of the file. A multiple of 4.
        let alignment: Int
    }
}

/// Lays a message out from front to end: each table before what it points at, and the ``FlatBuffer/Vector``s
/// behind everything else, so that all offsets are known before any vector's content.
struct FlatBufferWriter {
    /// All but the vectors.
    private(set) var bytes: [UInt8]
    /// Where each vector begins. Its count stands there, in four bytes, and its elements behind that.
    private(set) var vectorStarts: [Int] = []
    /// Bytes of the whole message.
    private(set) var size = 0
    private var vectorOffsets: [(position: Int, vector: Int)] = []

    /// `identifier` has four characters.
    init(_ root: FlatBuffer.Table, identifier: String, vectors: [FlatBuffer.Vector] = []) {
        bytes = [0, 0, 0, 0] + Array(identifier.utf8)
        point(from: 0, to: table(root))
        size = bytes.count
        for vector in vectors {
            let elements = (size + 4).roundedUp(to: vector.alignment)
            vectorStarts.append(elements - 4)
            size = elements + vector.count * vector.elementSize
        }
        for (position, vector) in vectorOffsets { point(from: position, to: vectorStarts[vector]) }
    }

    /// Gives where the table begins: its vtable stands before it, and what it points at behind.
    private mutating func table(_ fields: FlatBuffer.Table) -> Int {
        align(4)
        let fields = fields.filter { if case .absent = $0.value { false } else { true } }
        let count = (fields.map(\.key).max() ?? -1) + 1
        let vtable = bytes.count
        bytes += Array(repeating: 0, count: (4 + 2 * count).roundedUp(to: 4))
        let start = bytes.count
        append(UInt32(start - vtable))
        var children: [(position: Int, value: FlatBuffer.Value)] = []
        for (field, value) in fields {
            if case .byte = value {} else { align(4) }
            put(UInt16(bytes.count - start), at: vtable + 4 + 2 * field)
            switch value {
            case .byte(let number): bytes.append(number)
            case .int32(let number): append(UInt32(bitPattern: Int32(number)))
            case .float(let number): append(number.bitPattern)
            default:
                children.append((bytes.count, value))
                append(UInt32(0))
            }
        }
        put(UInt16(4 + 2 * count), at: vtable)
        put(UInt16(bytes.count - start), at: vtable + 2)
        for (position, value) in children { self.child(value, at: position) }
        return start
    }

    private mutating func child(_ value: FlatBuffer.Value, at position: Int) {
        align(4)
        let start = bytes.count
        switch value {
        case .absent, .byte, .int32, .float: return
        case .vector(let index): return vectorOffsets.append((position, index))
        case .table(let fields): return point(from: position, to: table(fields))
        case .text(let text):
            append(UInt32(text.utf8.count))
            bytes += Array(text.utf8) + [0]
        case .int32s(let numbers):
            append(UInt32(numbers.count))
            for number in numbers { append(UInt32(bitPattern: Int32(number))) }
        case .tables(let tables):
            append(UInt32(tables.count))
            bytes += Array(repeating: 0, count: 4 * tables.count)
            for (index, fields) in tables.enumerated() {
                point(from: start + 4 + 4 * index, to: table(fields))
            }
        }
        point(from: position, to: start)
    }

    /// Cut off without a trap past 4 GiB: ``size`` tells the caller, whose limit is lower.
    private mutating func point(from position: Int, to target: Int) {
        put(UInt32(truncatingIfNeeded: target - position), at: position)
    }

    private mutating func align(_ alignment: Int) {
        bytes += Array(repeating: 0, count: bytes.count.roundedUp(to: alignment) - bytes.count)
    }

    private mutating func append(_ number: UInt32) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func put(_ number: some FixedWidthInteger, at position: Int) {
        withUnsafeBytes(of: number.littleEndian) {
            bytes.replaceSubrange(position..<position + $0.count, with: $0)
        }
    }
}

extension Int {
    fileprivate func roundedUp(to multiple: Int) -> Int {
        (self + multiple - 1) / multiple * multiple
    }
}
