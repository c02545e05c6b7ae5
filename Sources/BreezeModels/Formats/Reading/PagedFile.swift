import Foundation

/// A file's bytes at any place, in pages of which each is read once: however a format jumps about, no more is
/// read or kept than the file has, and weights that nobody asks for are never read.
final class PagedFile {
    private let file: FileReader?
    private var pages: [Int: [UInt8]] = [:]
    private var current: (number: Int, bytes: [UInt8]) = (-1, [])

    private static let pageSize = 16 << 10
    /// No model's description is near it.
    private static let largestReading = 256 << 20
    /// What a text may have; longer ones are cut, and end in an ellipsis.
    static let longestText = 64 << 10

    let size: Int

    init(url: URL) throws {
        let file = try FileReader(url: url)
        (self.file, size) = (file, file.size)
    }

    /// Bytes that were read already: a message within a message.
    init(_ bytes: [UInt8]) {
        (file, size) = (nil, bytes.count)
        for start in stride(from: 0, to: bytes.count, by: Self.pageSize) {
            pages[start / Self.pageSize] = Array(bytes[start..<min(start + Self.pageSize, bytes.count)])
        }
    }

    /// The number at `offset`, which the format stores with the lowest byte first.
    func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self, at offset: Int) throws -> Value {
        let width = MemoryLayout<Value>.size
        guard offset >= 0, offset <= size - width else { throw outside(offset) }
        let (page, start) = offset.quotientAndRemainder(dividingBy: Self.pageSize)
        if start + width <= Self.pageSize {
            try load(page)
            return current.bytes.withUnsafeBytes {
                Value(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Value.self))
            }
        }
        return try bytes(offset..<offset + width).withUnsafeBytes {
            Value(littleEndian: $0.loadUnaligned(as: Value.self))
        }
    }

    /// - Precondition: `range` is no longer than what the caller is ready to hold.
    func bytes(_ range: Range<Int>) throws -> [UInt8] {
        guard range.lowerBound >= 0, range.upperBound <= size else { throw outside(range.upperBound) }
        var found: [UInt8] = []
        found.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let (page, start) = position.quotientAndRemainder(dividingBy: Self.pageSize)
            let end = min(Self.pageSize, start + range.upperBound - position)
            try load(page)
            found += current.bytes[start..<end]
            position += end - start
        }
        return found
    }

    /// At most ``longestText`` bytes of it; what is no UTF-8 is replaced.
    func text(_ range: Range<Int>) throws -> String {
        guard range.count > Self.longestText else {
            return String(decoding: try bytes(range), as: UTF8.self)
        }
        let cut = try bytes(range.prefix(Self.longestText))
        return String(decoding: cut, as: UTF8.self) + "…"
    }

    private func outside(_ offset: Int) -> FormatFault {
        FormatFault("it points at byte \(offset) and has \(size): it is cut short or damaged")
    }

    /// - Precondition: the page begins within the file.
    private func load(_ number: Int) throws {
        guard current.number != number else { return }
        if let page = pages[number] { return current = (number, page) }
        guard pages.count < Self.largestReading / Self.pageSize else {
            throw FormatFault("its description is larger than \(Self.largestReading) bytes")
        }
        let start = number * Self.pageSize
        let page = try file?.bytes(at: start, count: min(Self.pageSize, size - start)) ?? []
        pages[number] = page
        current = (number, page)
    }
}
