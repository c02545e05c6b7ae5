/// Scalars from UTF-8 that is known to be valid, as a `String`'s is: nothing is checked again.
enum UTF8Decoding {
    @inline(__always)
    static func scalar(in text: [UInt8], at start: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(text[start])
        if first < 0x80 { return (first, 1) }
        if first < 0xE0 { return ((first & 0x1F) << 6 | tail(text, start + 1), 2) }
        if first < 0xF0 {
            return ((first & 0x0F) << 12 | tail(text, start + 1) << 6 | tail(text, start + 2), 3)
        }
        let upper = (first & 0x07) << 18 | tail(text, start + 1) << 12
        return (upper | tail(text, start + 2) << 6 | tail(text, start + 3), 4)
    }

    @inline(__always)
    static func append(_ value: UInt32, to bytes: inout [UInt8]) {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (value >> shift & 0x3F)) }
        switch value {
        case 0..<0x80:
            bytes.append(UInt8(truncatingIfNeeded: value))
        case 0x80..<0x800:
            bytes.append(UInt8(truncatingIfNeeded: 0xC0 | value >> 6))
            bytes.append(tail(0))
        case 0x800..<0x10000:
            bytes.append(UInt8(truncatingIfNeeded: 0xE0 | value >> 12))
            bytes.append(tail(6))
            bytes.append(tail(0))
        default:
            bytes.append(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
            bytes.append(tail(12))
            bytes.append(tail(6))
            bytes.append(tail(0))
        }
    }

    @inline(__always)
    private static func tail(_ text: [UInt8], _ index: Int) -> UInt32 {
        UInt32(text[index] & 0x3F)
    }
}
