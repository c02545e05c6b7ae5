import BreezeCore

/// The fields of one protocol-buffer message, in the order of the file.
struct ProtobufReader {
    struct Field {
        let number: Int
        let value: Value
    }

    enum Value {
        case varint(UInt64)
        case fixed32(UInt32)
        case fixed64
        /// Where in the file the bytes are.
        case bytes(Range<Int>)
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int
    private let file: String

    init(_ bytes: [UInt8], _ range: Range<Int>, file: String) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
        self.file = file
    }

    /// `nil` at the message's end.
    mutating func next() throws(BreezeError) -> Field? {
        guard position < end else { return nil }
        let key = try varint()
        guard let number = Int(exactly: key >> 3), number > 0, number < 1 << 29 else {
            throw fault("a field has the number \(key >> 3)")
        }
        switch key & 7 {
        case 0: return Field(number: number, value: .varint(try varint()))
        case 1:
            _ = try take(8)
            return Field(number: number, value: .fixed64)
        case 2:
            let count = try varint()
            return Field(number: number, value: .bytes(try take(count)))
        case 5:
            let range = try take(4)
            let bits = range.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[$1]) }
            return Field(number: number, value: .fixed32(bits))
        case let type: throw fault("a field is of the wire type \(type)")
        }
    }

    private mutating func take(_ count: UInt64) throws(BreezeError) -> Range<Int> {
        guard count <= UInt64(end - position) else { throw fault("a field of \(count) bytes passes the end") }
        defer { position += Int(count) }
        return position..<position + Int(count)
    }

    private mutating func varint() throws(BreezeError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard position < end else { throw fault("a number passes the end") }
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw fault("a number has more than ten bytes")
    }

    private func fault(_ reason: String) -> BreezeError {
        TokenizerFile.invalid(file, "it is no SentencePiece model: \(reason), before byte \(position)")
    }
}
