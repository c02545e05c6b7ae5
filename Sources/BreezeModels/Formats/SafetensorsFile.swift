import BreezeCore
public import Foundation

/// A safetensors file: its header read and checked when it is opened, its tensors read from disk one at a
/// time, so that a model never has to fit in memory twice.
public struct SafetensorsFile: Sendable {
    public struct Tensor: Hashable, Sendable {
        public let name: String
        public let type: TensorType
        /// Outermost dimension first; empty for a scalar.
        public let shape: [Int]
        /// From the first byte after the header.
        let offset: Int
        public let byteCount: Int

        public var elementCount: Int { byteCount * 8 / type.bits }

        /// One row of a matrix, as a tensor that can be read alone.
        /// - Precondition: it is a matrix with that row, of a type that fills whole bytes.
        func row(_ index: Int) -> Tensor {
            precondition(shape.count == 2 && (0..<shape[0]).contains(index), "a row of a matrix")
            let size = byteCount / shape[0]
            let start = offset + index * size
            return Tensor(name: name, type: type, shape: [shape[1]], offset: start, byteCount: size)
        }
    }

    public let url: URL
    public let tensors: [String: Tensor]
    /// The file's `__metadata__`.
    public let metadata: [String: String]
    private let file: FileReader
    private let dataOffset: Int
    /// The format's own limit.
    static let largestHeader = 100_000_000

    /// - Throws: ``BreezeError`` `.invalidFile` naming the file, the tensor and the fault; `.inputOutput`
    ///   where the file cannot be read.
    public init(url: URL) throws {
        let file = try FileReader(url: url)
        func damaged(_ fault: String, remedy: String = "Fetch the file again.") -> BreezeError {
            BreezeError(
                .invalidFile,
                "\(url.path) is not a valid safetensors file: \(fault).",
                remedy: remedy
            )
        }
        let prefix = try file.bytes(at: 0, count: min(file.size, FileSignature.length))
        let length = prefix.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let plausible = prefix.count > 8 && length <= file.size - 8 && prefix[8] == UInt8(ascii: "{")
        // Only where it does not look like the real thing: a header of 640 bytes begins like a pickle.
        if !plausible, let kind = FileSignature.name(of: prefix) {
            throw damaged("it is \(kind)", remedy: "Take the model's .safetensors file itself.")
        }
        guard prefix.count >= 8 else { throw damaged("it has \(file.size) bytes, too few for a header") }
        guard length <= Self.largestHeader else {
            throw damaged(
                "its header claims \(length) bytes, over the format's limit of \(Self.largestHeader)"
            )
        }
        guard Int(length) <= file.size - 8 else {
            throw damaged("its header claims \(length) bytes and the file has \(file.size): it is cut short")
        }
        do {
            let header = try SafetensorsHeader(
                parsing: try file.bytes(at: 8, count: Int(length)),
                dataSize: file.size - 8 - Int(length)
            )
            self.tensors = header.tensors
            self.metadata = header.metadata
        } catch let fault as SafetensorsHeader.Fault {
            throw damaged(fault.message)
        }
        self.url = url
        self.file = file
        self.dataOffset = 8 + Int(length)
    }

    /// Bytes of the whole file.
    public var fileSize: Int { file.size }

    /// Bytes of all tensors together.
    public var dataSize: Int { file.size - dataOffset }

    /// Fills `output` with the tensor's elements in their order, converted from F32, F16, BF16 or F64.
    /// - Precondition: `output` has ``Tensor/elementCount`` elements.
    public func readFloats(of tensor: Tensor, into output: UnsafeMutableBufferPointer<Float>) throws {
        precondition(output.count == tensor.elementCount, "a buffer of the tensor's own size")
        let offset = dataOffset + tensor.offset
        switch tensor.type {
        case .f32:
            // As they stand: the format is little-endian, and so is every platform of the product.
            try file.read(into: UnsafeMutableRawBufferPointer(output), at: offset)
        case .f16:
            try convert(at: offset, into: output) { (bits: UInt16) in Float(half: UInt16(littleEndian: bits))
            }
        case .bf16:
            try convert(at: offset, into: output) { (bits: UInt16) in
                Float(bitPattern: UInt32(UInt16(littleEndian: bits)) << 16)
            }
        case .f64:
            try convert(at: offset, into: output) { (bits: UInt64) in
                Float(Double(bitPattern: UInt64(littleEndian: bits)))
            }
        default:
            throw BreezeError(
                .unsupported,
                "Tensor \"\(tensor.name.excerpt)\" in \(url.path) holds \(tensor.type.rawValue), not floats.",
                remedy: "Take the model's F32, F16 or BF16 edition."
            )
        }
    }

    /// The whole tensor as floats; see ``readFloats(of:into:)``.
    public func floats(of tensor: Tensor) throws -> [Float] {
        try [Float](unsafeUninitializedCapacity: tensor.elementCount) { buffer, count in
            let target = UnsafeMutableBufferPointer(rebasing: buffer[..<tensor.elementCount])
            try readFloats(of: tensor, into: target)
            count = tensor.elementCount
        }
    }

    /// In chunks, so that a half-precision tensor costs no second copy of itself.
    private func convert<Bits: FixedWidthInteger>(
        at offset: Int,
        into output: UnsafeMutableBufferPointer<Float>,
        _ value: (Bits) -> Float
    ) throws {
        let width = MemoryLayout<Bits>.size
        let chunk = UnsafeMutableBufferPointer<Bits>.allocate(capacity: 1 << 16)
        defer { chunk.deallocate() }
        for start in stride(from: 0, to: output.count, by: chunk.count) {
            let count = min(chunk.count, output.count - start)
            let part = UnsafeMutableBufferPointer(rebasing: chunk[..<count])
            try file.read(into: UnsafeMutableRawBufferPointer(part), at: offset + start * width)
            for index in 0..<count { output[start + index] = value(part[index]) }
        }
    }
}

extension Float {
    /// IEEE 754 binary16. Swift's own `Float16` does not exist on Intel Macs.
    init(half bits: UInt16) {
        let sign = UInt32(bits & 0x8000) << 16
        let exponent = UInt32(bits >> 10 & 0x1F)
        let fraction = UInt32(bits & 0x3FF)
        switch exponent {
        case 0: self = Float(fraction) * 0x1p-24 * (sign == 0 ? 1 : -1)
        case 0x1F: self = Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
        default: self = Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
        }
    }
}
