/// Reads the fields of one protobuf message in turn. Lengths are held against the message's own end, so that
/// nothing outside it is ever looked at; what a field holds is read only when it is asked for.
struct ProtobufReader {
    enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        /// A text, bytes, a message or packed numbers, by their place in the file.
        case bytes(Range<Int>)
    }

    struct Field {
        let number: Int
        let value: Value
    }

    let file: PagedFile
    /// The number of a field that claims more bytes than are left, once ``next()`` has thrown for it.
    private(set) var unfinished: Int?
    private var position: Int
    private let end: Int
    private static let largestNumber: UInt64 = (1 << 29) - 1

    init(_ file: PagedFile, _ range: Range<Int>) {
        self.file = file
        position = range.lowerBound
        end = range.upperBound
    }

    /// - Returns: `nil` behind the last field.
    mutating func next() throws -> Field? {
        guard position < end else { return nil }
        let tag = try varint()
        let number = tag >> 3
        guard (1...Self.largestNumber).contains(number) else {
            throw FormatFault("a field has the number \(number), which none can have")
        }
        if tag & 7 == 2 { unfinished = Int(number) }
        let value = try value(ofWireType: tag & 7)
        unfinished = nil
        return Field(number: Int(number), value: value)
    }

    private mutating func value(ofWireType type: UInt64) throws -> Value {
        switch type {
        case 0: return .varint(try varint())
        case 1: return .fixed64(try fixed())
        case 5: return .fixed32(try fixed())
        case 2:
            let length = try varint()
            guard length <= UInt64(end - position) else {
                throw FormatFault(
                    "a field claims \(length) bytes and \(end - position) are left: "
                        + "it is cut short or damaged"
                )
            }
            defer { position += Int(length) }
            return .bytes(position..<position + Int(length))
        // Groups were withdrawn before any of the formats was made.
        default: throw FormatFault("a field is of the wire type \(type), which none has")
        }
    }

    private mutating func varint() throws -> UInt64 {
        var result: UInt64 = 0
        for shift in stride(from: 0, through: 63, by: 7) {
            guard position < end else { throw FormatFault("it ends in the middle of a number") }
            let byte: UInt8 = try file.integer(at: position)
            position += 1
            result |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return result }
        }
        throw FormatFault("a number has more than ten bytes")
    }

    private mutating func fixed<Number: FixedWidthInteger>() throws -> Number {
        let width = MemoryLayout<Number>.size
        guard position <= end - width else { throw FormatFault("it ends in the middle of a number") }
        defer { position += width }
        return try file.integer(at: position)
    }
}

extension ProtobufReader {
    private static let largestRank = 1024

    /// Gives every field of the message in `range` to `body`.
    static func forEachField(
        of range: Range<Int>,
        in file: PagedFile,
        _ body: (Field) throws -> Void
    ) throws {
        var reader = ProtobufReader(file, range)
        while let field = try reader.next() { try body(field) }
    }

    /// The numbers of a repeated field, one or, packed, several of them: the dimensions of a shape.
    static func integers(_ value: Value, in file: PagedFile) throws -> [Int64] {
        switch value {
        case .varint(let number): return [Int64(bitPattern: number)]
        case .bytes(let range):
            var reader = ProtobufReader(file, range)
            var found: [Int64] = []
            while reader.position < reader.end {
                found.append(Int64(bitPattern: try reader.varint()))
                guard found.count <= largestRank else { throw FormatFault("a shape has too many dimensions") }
            }
            return found
        default: return []
        }
    }

    /// A `map<string, string>` entry, or ONNX's pair of two texts: field 1 and field 2.
    static func pair(_ range: Range<Int>, in file: PagedFile) throws -> (key: String, value: String) {
        var (key, value) = ("", "")
        try forEachField(of: range, in: file) { field in
            switch (field.number, field.value) {
            case (1, .bytes(let text)): key = try file.text(text)
            case (2, .bytes(let text)): value = try file.text(text)
            default: break
            }
        }
        return (key, value)
    }
}
