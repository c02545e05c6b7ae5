/// Writes the protobuf wire format: as much of it as an ONNX model needs.
struct ProtobufEncoder {
    private(set) var bytes: [UInt8] = []

    private enum WireType: UInt64 {
        case varint = 0
        case lengthDelimited = 2
        case fixed32 = 5
    }

    mutating func integer(_ field: UInt64, _ value: Int64) {
        tag(field, .varint)
        varint(UInt64(bitPattern: value))
    }

    mutating func float(_ field: UInt64, _ value: Float) {
        tag(field, .fixed32)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func string(_ field: UInt64, _ value: String) {
        prefix(field, length: value.utf8.count)
        bytes.append(contentsOf: value.utf8)
    }

    mutating func message(_ field: UInt64, _ build: (inout ProtobufEncoder) -> Void) {
        var inner = ProtobufEncoder()
        build(&inner)
        message(field, inner)
    }

    mutating func message(_ field: UInt64, _ inner: ProtobufEncoder) {
        prefix(field, length: inner.bytes.count)
        bytes.append(contentsOf: inner.bytes)
    }

    /// What `other` holds, as if it had been written here.
    mutating func append(_ other: ProtobufEncoder) {
        bytes.append(contentsOf: other.bytes)
    }

    /// Only the tag and the length of a field whose content follows by other means.
    mutating func prefix(_ field: UInt64, length: Int) {
        tag(field, .lengthDelimited)
        varint(UInt64(length))
    }

    private mutating func tag(_ field: UInt64, _ type: WireType) {
        varint(field << 3 | type.rawValue)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
