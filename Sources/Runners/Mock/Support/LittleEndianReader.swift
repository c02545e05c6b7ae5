import Foundation

/// Reads numbers and four-letter names out of bytes; past the end everything is `nil`.
struct LittleEndianReader {
    private let data: Data
    /// From the beginning of the data, whatever its first index is.
    var offset: Int

    init(_ data: Data, offset: Int = 0) {
        self.data = data
        self.offset = offset
    }

    mutating func take(_ count: Int) -> Data? {
        guard offset >= 0, offset <= data.count - count else { return nil }
        let start = data.startIndex + offset
        offset += count
        return data[start..<start + count]
    }

    mutating func integer(bytes: Int) -> Int? {
        take(bytes).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
    }

    mutating func bigEndian(bytes: Int) -> Int? {
        take(bytes).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    mutating func name() -> String? {
        take(4).map { String(decoding: $0, as: UTF8.self) }
    }
}
