import BreezeCore
import CVectorSearch
import Foundation

/// What stands before the blocks of a segment's file, little-endian:
///
///     0     8 bytes      "BRZVEC1\n"
///     8     uint32       dimension
///     12    uint32       blocks
///     16    uint64       the segment's number, which no other one of the folder has or had
///     24    uint32       bytes of the encoder's name
///     28    128 bytes    the encoder's name, UTF-8, then zeros
///     156   uint32       CRC-32C of all before
///     160   uint32       rows, and
///     164   uint32       their complement, which tells a whole number from a damaged one
///
/// All but the last eight bytes is written once; these are written after the rows that they count.
struct SegmentHeader: Equatable, Sendable {
    /// A page, so that the blocks begin at one; the rest is zero.
    static let bytes = 4096
    static let countOffset = 160
    static let encoderBytes = 128
    private static let magic = Array("BRZVEC1\n".utf8)

    let layout: SegmentLayout
    let number: UInt64
    let encoder: String
    /// `nil` where it is damaged.
    var rows: Int?

    init(layout: SegmentLayout, number: UInt64, encoder: String) {
        self.layout = layout
        self.number = number
        self.encoder = encoder
        rows = 0
    }

    /// `url` is for the error's message.
    init(_ bytes: UnsafeRawBufferPointer, from url: URL) throws {
        guard bytes.count >= Self.bytes, bytes.starts(with: Self.magic) else {
            throw VectorFault.damaged(url, "it does not begin like one")
        }
        let check = bytes.loadUnaligned(fromByteOffset: 156, as: UInt32.self)
        let length = Int(bytes.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
        guard vector_crc32c(0, bytes.baseAddress, 156) == check, length <= Self.encoderBytes else {
            throw VectorFault.damaged(url, "its header is damaged")
        }
        layout = try SegmentLayout(
            dimension: Int(bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)),
            blocks: Int(bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        )
        number = bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
        encoder = String(decoding: bytes[28..<28 + length], as: UTF8.self)
        // At once: the writer may be counting.
        let both = bytes.loadUnaligned(fromByteOffset: Self.countOffset, as: UInt64.self)
        let (count, complement) = (UInt32(truncatingIfNeeded: both), UInt32(both >> 32))
        rows = count == ~complement && count <= layout.rows ? Int(count) : nil
    }

    var encoded: [UInt8] {
        var bytes = Self.magic
        bytes += Self.little(UInt32(layout.dimension)) + Self.little(UInt32(layout.blocks))
        bytes += Self.little(number)
        bytes += Self.little(UInt32(encoder.utf8.count)) + Array(encoder.utf8)
        bytes += Array(repeating: 0, count: 156 - bytes.count)
        bytes += Self.little(vector_crc32c(0, bytes, bytes.count))
        bytes += Self.encoded(rows: rows ?? 0)
        return bytes + Array(repeating: 0, count: Self.bytes - bytes.count)
    }

    static func encoded(rows: Int) -> [UInt8] { little(UInt32(rows)) + little(~UInt32(rows)) }

    private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func == (left: SegmentHeader, right: SegmentHeader) -> Bool {
        left.layout == right.layout && left.number == right.number && left.encoder == right.encoder
    }
}
