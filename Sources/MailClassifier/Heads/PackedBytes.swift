import Foundation

/// Signed bytes from -127 to 127, most of which are 0: a run of these is written as the byte -128, which stands for no
/// weight, and its length (LEB128).
enum PackedBytes {
    private static let mark: UInt8 = 0x80
    /// Far more weights than heads have: what says so is damaged, or made to take the memory.
    private static let most = 1 << 22

    static func pack(_ values: [Int8]) -> Data {
        var data = Data()
        var at = 0
        while at < values.count {
            let end = values[at...].firstIndex { $0 != 0 } ?? values.count
            if end == at {
                data.append(UInt8(bitPattern: values[at]))
                at += 1
                continue
            }
            data.append(mark)
            var length = end - at
            while length >= 0x80 {
                data.append(UInt8(length & 0x7F) | 0x80)
                length >>= 7
            }
            data.append(UInt8(length))
            at = end
        }
        return data
    }

    /// `nil` for what ``pack(_:)`` never wrote.
    static func unpack(_ data: Data) -> [Int8]? {
        var values: [Int8] = []
        var bytes = data.makeIterator()
        while let byte = bytes.next() {
            guard byte == mark else {
                values.append(Int8(bitPattern: byte))
                continue
            }
            var (length, shift) = (0, 0)
            while true {
                guard let next = bytes.next(), shift < 28 else { return nil }
                length |= Int(next & 0x7F) << shift
                shift += 7
                if next & 0x80 == 0 { break }
            }
            guard length > 0, values.count + length <= most else { return nil }
            values += repeatElement(0, count: length)
        }
        return values.count <= most ? values : nil
    }
}
