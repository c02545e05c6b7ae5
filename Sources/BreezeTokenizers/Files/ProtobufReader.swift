/// Bytes that protocol-buffer messages are read from, and what is thrown where they are none.
package protocol ProtobufSource {
    associatedtype Failure: Error

    /// The number at `offset`, which is stored with the lowest byte first; never asked for beyond the message.
    func integer<Number: FixedWidthInteger>(_: Number.Type, at offset: Int) throws(Failure) -> Number

    /// `reason` is a clause that says what is wrong.
    func fault(_ reason: String) -> Failure
}

/// Reads the fields of one protobuf message in turn. Lengths are held against the message's own end, so that
/// nothing outside it is ever looked at; what a field holds is read only when it is asked for.
package struct ProtobufReader<Source: ProtobufSource> {
    package enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        /// A text, bytes, a message or packed numbers, by their place in the file.
        case bytes(Range<Int>)
    }

    package struct Field {
        package let number: Int
        package let value: Value
    }

    package let source: Source
    /// The number of a field that claims more bytes than are left, once ``next()`` has thrown for it.
    package private(set) var unfinished: Int?
    private var position: Int
    private let end: Int

    /// `range` is where the message is, within the source.
    package init(_ source: Source, _ range: Range<Int>) {
        self.source = source
        position = range.lowerBound
        end = range.upperBound
    }

    package var isAtEnd: Bool { position >= end }

    /// - Returns: `nil` behind the last field.
    package mutating func next() throws(Source.Failure) -> Field? {
        guard !isAtEnd else { return nil }
        let tag = try varint()
        let number = tag >> 3
        guard (1..<1 << 29).contains(number) else {
            throw source.fault("a field has the number \(number), which none can have")
        }
        if tag & 7 == 2 { unfinished = Int(number) }
        let value = try value(ofWireType: tag & 7)
        unfinished = nil
        return Field(number: Int(number), value: value)
    }

    private mutating func value(ofWireType type: UInt64) throws(Source.Failure) -> Value {
        switch type {
        case 0: return .varint(try varint())
        case 1: return .fixed64(try fixed())
        case 5: return .fixed32(try fixed())
        case 2:
            let length = try varint()
            guard length <= UInt64(end - position) else {
                throw source.fault(
                    "a field claims \(length) bytes and \(end - position) are left: "
                        + "it is cut short or damaged"
                )
            }
            defer { position += Int(length) }
            return .bytes(position..<position + Int(length))
        // Groups were withdrawn before any of the formats was made.
        default: throw source.fault("a field is of the wire type \(type), which none has")
        }
    }

    package mutating func varint() throws(Source.Failure) -> UInt64 {
        var result: UInt64 = 0
        for shift in stride(from: 0, through: 63, by: 7) {
            guard position < end else { throw source.fault("it ends in the middle of a number") }
            let byte = try source.integer(UInt8.self, at: position)
            position += 1
            result |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return result }
        }
        throw source.fault("a number has more than ten bytes")
    }

    private mutating func fixed<Number: FixedWidthInteger>() throws(Source.Failure) -> Number {
        let width = MemoryLayout<Number>.size
        guard width <= end - position else { throw source.fault("it ends in the middle of a number") }
        defer { position += width }
        return try source.integer(Number.self, at: position)
    }
}
