import BreezeCore
import BreezeFiles
public import Foundation

/// Writes a GGUF file of version 3 from front to end: keys and shapes are given beforehand, then each
/// tensor's numbers are asked for in turn and forgotten again, so that a model larger than memory can be
/// written.
public struct GGUFWriter {
    private var keys: [(name: String, value: GGUFValue)] = []
    private var tensors: [Entry] = []
    /// The format's own default.
    private static let alignment = 32

    private struct Entry {
        let name: String
        let dimensions: [Int]
        let type: GGMLType
        let elementCount: Int
        let byteCount: Int
        let values: (Int) throws -> [Float]
    }

    public init(architecture: String) {
        set("general.architecture", .string(architecture))
    }

    /// In the order of the calls; a key that is there already gets the new value.
    public mutating func set(_ key: String, _ value: GGUFValue) {
        if let index = keys.firstIndex(where: { $0.name == key }) {
            keys[index].value = value
        } else {
            keys.append((key, value))
        }
    }

    /// - Parameters:
    ///   - name: at most 63 bytes.
    ///   - dimensions: innermost first, as the format counts them.
    ///   - type: F32, F16, BF16 or Q8_0.
    ///   - values: called with a row's number, from 0 on, in order, while the file is written; gives the
    ///     elements of that row, as many as the innermost dimension has.
    /// - Throws: ``BreezeError`` `.unsupported` for a type that is not written or rows that are no whole
    ///   blocks of it, `.invalidParameter` for a name that is there already or a shape without elements.
    public mutating func add(
        _ name: String,
        _ dimensions: [Int],
        _ type: GGMLType,
        row values: @escaping (Int) throws -> [Float]
    ) throws {
        guard GGMLEncoder.types.contains(type) else {
            throw BreezeError(
                .unsupported,
                "Tensor \"\(name.excerpt)\" cannot be written as \(type.name).",
                remedy: "Write F16 and quantise the file with llama-quantize."
            )
        }
        guard let row = dimensions.first, row % type.blockSize == 0 else {
            throw BreezeError(
                .unsupported,
                "Tensor \"\(name.excerpt)\" has rows of \(dimensions.first ?? 0) elements, "
                    + "no whole blocks of \(type.name)."
            )
        }
        let (count, overflow) = Self.elementCount(dimensions)
        guard !overflow, count > 0, let bytes = type.byteCount(of: count), (1...63).contains(name.utf8.count),
            dimensions.count <= 4, !tensors.contains(where: { $0.name == name })
        else {
            throw BreezeError(
                .invalidParameter,
                "Tensor \"\(name.excerpt)\" with the shape \(dimensions) cannot be added."
            )
        }
        tensors.append(
            Entry(
                name: name,
                dimensions: dimensions,
                type: type,
                elementCount: count,
                byteCount: bytes,
                values: values
            )
        )
    }

    /// A tensor of which the numbers are at hand.
    public mutating func add(
        _ name: String,
        _ dimensions: [Int],
        _ type: GGMLType = .f32,
        _ values: [Float]
    ) throws {
        let width = dimensions.first ?? 0
        guard values.count == Self.elementCount(dimensions).count else {
            throw BreezeError(
                .invalidParameter,
                "Tensor \"\(name.excerpt)\" has \(values.count) elements and the shape \(dimensions)."
            )
        }
        try add(name, dimensions, type) { Array(values[$0 * width..<($0 + 1) * width]) }
    }

    private static func elementCount(_ dimensions: [Int]) -> (count: Int, overflow: Bool) {
        dimensions.reduce((1, false)) { result, size in
            let (product, overflow) = result.0.multipliedReportingOverflow(by: max(0, size))
            return (product, result.1 || overflow)
        }
    }

    /// Bytes that the file will have.
    public var size: Int {
        tensors.reduce(Self.padded(header.count)) { $0 + Self.padded($1.byteCount) }
    }

    /// Writes a new file, readable by its owner alone. A file that failed half way is there no longer.
    /// - Parameters:
    ///   - url: where there is no file yet.
    ///   - progress: called with the bytes written so far, after each tensor.
    /// - Throws: ``BreezeError`` where it exists already or cannot be written; what the rows throw.
    public func write(to url: URL, progress: (Int) throws -> Void = { _ in }) throws {
        let output = try OutputFile(creating: url)
        do {
            let header = header
            try output.write(header + Self.padding(after: header.count))
            var done = Self.padded(header.count)
            for tensor in tensors {
                try write(tensor, to: output)
                try output.write(Self.padding(after: tensor.byteCount))
                done += Self.padded(tensor.byteCount)
                try progress(done)
            }
            try output.finish()
        } catch {
            try? FileManager.default.removeItem(at: url)
            throw error
        }
    }

    private func write(_ tensor: Entry, to output: OutputFile) throws {
        let width = tensor.dimensions[0]
        for row in 0..<tensor.elementCount / width {
            let values = try tensor.values(row)
            guard values.count == width else {
                throw BreezeError(
                    .internalError,
                    "Row \(row) of tensor \"\(tensor.name.excerpt)\" has \(values.count) elements, not \(width)."
                )
            }
            try output.write(GGMLEncoder.encode(values, as: tensor.type))
        }
    }

    private static func padded(_ count: Int) -> Int { (count + alignment - 1) / alignment * alignment }

    private static func padding(after count: Int) -> [UInt8] {
        Array(repeating: 0, count: padded(count) - count)
    }

    private var header: [UInt8] {
        var bytes = GGUFBytes()
        bytes.append(Array("GGUF".utf8))
        bytes.append(UInt32(3))
        bytes.append(UInt64(tensors.count))
        bytes.append(UInt64(keys.count))
        for (name, value) in keys {
            bytes.append(name)
            bytes.append(value.kind.rawValue)
            bytes.append(value)
        }
        var offset = 0
        for tensor in tensors {
            bytes.append(tensor.name)
            bytes.append(UInt32(tensor.dimensions.count))
            for size in tensor.dimensions { bytes.append(UInt64(size)) }
            bytes.append(tensor.type.rawValue)
            bytes.append(UInt64(offset))
            offset += Self.padded(tensor.byteCount)
        }
        return bytes.bytes
    }
}

/// The header's fields in the file's own form.
private struct GGUFBytes {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ raw: [UInt8]) { bytes += raw }

    mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        append(UInt64(text.utf8.count))
        bytes += Array(text.utf8)
    }

    mutating func append(_ value: GGUFValue) {
        switch value {
        case .uint8(let number): append(number)
        case .int8(let number): append(number)
        case .uint16(let number): append(number)
        case .int16(let number): append(number)
        case .uint32(let number): append(number)
        case .int32(let number): append(number)
        case .uint64(let number): append(number)
        case .int64(let number): append(number)
        case .float32(let number): append(number.bitPattern)
        case .float64(let number): append(number.bitPattern)
        case .bool(let flag): append(UInt8(flag ? 1 : 0))
        case .string(let text): append(text)
        case .array(let array):
            append(array.kind.rawValue)
            append(UInt64(array.count))
            bytes += array.bytes
        }
    }
}
