import Foundation

/// A whisper.cpp model file, walked from front to end without reading weights: dimensions, mel filters,
/// vocabulary, then one tensor behind the other.
struct WhisperFile {
    let header: WhisperHeader
    /// Tokens that the file spells out; the special ones are not among them.
    let tokenCount: Int
    let tensorCount: Int
    let parameterCount: Int64
    /// Bytes of the tensors.
    let weightBytes: Int64

    /// The layout has no count of tensors, and the largest model 1,259 of them.
    private static let largestTensorCount = 1 << 16
    private static let longestName = 256

    init(_ file: PagedFile) throws {
        let prefix = try file.bytes(0..<min(file.size, WhisperHeader.byteCount))
        guard let header = WhisperHeader(prefix) else {
            throw FormatFault("it does not begin with the dimensions of a Whisper model")
        }
        var walk = Walk(file: file, position: WhisperHeader.byteCount)
        let bands = try walk.count(1...512, "the number of mel bands")
        let bins = try walk.count(1...65_536, "the length of the mel filters")
        try walk.skip(bands * bins * 4, "the mel filters")
        tokenCount = try walk.count(0...header.vocabularySize, "the number of tokens")
        for _ in 0..<tokenCount {
            try walk.skip(try walk.count(0...65_536, "a token's length"), "a token")
        }
        var (count, elements, bytes) = (0, 0, 0)
        while walk.position < file.size {
            let tensor = try walk.tensor()
            count += 1
            elements += tensor.elements
            bytes += tensor.bytes
            guard count <= Self.largestTensorCount else { throw FormatFault("it has too many tensors") }
        }
        (tensorCount, parameterCount, weightBytes) = (count, Int64(elements), Int64(bytes))
        self.header = header
    }

    private struct Walk {
        let file: PagedFile
        var position: Int

        mutating func count(_ range: ClosedRange<Int>, _ what: String) throws -> Int {
            let number: Int32 = try file.integer(at: position)
            guard range.contains(Int(number)) else { throw FormatFault("\(what) is \(number)") }
            position += 4
            return Int(number)
        }

        mutating func skip(_ count: Int, _ what: String) throws {
            guard count <= file.size - position else {
                throw FormatFault("it ends in the middle of \(what): it is cut short")
            }
            position += count
        }

        /// No sum of these overflows: the bytes were held against the file's size, and elements are at most
        /// 128 a byte.
        mutating func tensor() throws -> (elements: Int, bytes: Int) {
            let rank = try count(0...4, "a tensor's rank")
            let length = try count(1...longestName, "the length of a tensor's name")
            let code: UInt32 = try file.integer(at: position)
            position += 4
            var elements = 1
            for _ in 0..<rank {
                let size = try count(1...Int(Int32.max), "a tensor's dimension")
                let (product, overflow) = elements.multipliedReportingOverflow(by: size)
                guard !overflow else { throw FormatFault("a tensor is impossibly large") }
                elements = product
            }
            try skip(length, "a tensor's name")
            guard let type = GGMLType(rawValue: code), let bytes = type.byteCount(of: elements) else {
                throw FormatFault("a tensor has the unknown type \(code)")
            }
            try skip(bytes, "a tensor")
            return (elements, bytes)
        }
    }
}
