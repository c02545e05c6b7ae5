import BreezeCore
public import Foundation

/// A GGUF file, of which only the header is read: what the model is, and where its tensors lie. Whether
/// llama.cpp can run it is what ``GGUFCheck`` says.
public struct GGUFFile: Sendable {
    public struct Tensor: Hashable, Sendable {
        public let name: String
        /// Innermost dimension first, the reverse of what most formats do.
        public let dimensions: [Int]
        /// The file's number for the type.
        public let typeCode: UInt32
        /// From the first byte after the header.
        public let offset: Int
        public let elementCount: Int
        /// `nil` for a type that is unknown, and for rows that are no whole number of its blocks.
        public let byteCount: Int?

        /// `nil` for a type that this Breeze does not know.
        public var type: GGMLType? { GGMLType(rawValue: typeCode) }
    }

    public let url: URL
    public let version: UInt32
    /// Keys as the file has them: `general.architecture`, `qwen3.block_count`.
    public let metadata: [String: GGUFValue]
    /// In the file's order.
    public let tensors: [Tensor]
    /// To a multiple of which the offset of each tensor is rounded up.
    public let alignment: Int
    /// Where the first tensor begins.
    public let dataOffset: Int
    /// Bytes of the whole file.
    public let size: Int
    private let file: FileReader

    private static let largestCounts = (keys: 1 << 16, tensors: 1 << 17)
    private static let largestAlignment = 1 << 20
    /// llama.cpp keeps a tensor's name in 64 bytes with a zero at the end.
    private static let longestName = 63
    private static let longestKey = 65_535

    /// - Throws: ``BreezeError`` `.invalidFile` naming the file, the field and the fault; `.unsupported` for
    ///   a version that is not read; `.inputOutput` where the file cannot be read.
    public init(url: URL) throws {
        let file = try FileReader(url: url)
        try Self.checkSignature(file)
        do {
            var reader = GGUFHeaderReader(file: file)
            _ = try reader.integer(UInt32.self, "the signature")
            version = try reader.integer(UInt32.self, "the version")
            try Self.check(version: version, of: url)
            // A tensor takes 24 bytes and its name's, a key 12, its own and its value's.
            let tensorCount = try reader.count(of: 25, "the number of tensors")
            let keyCount = try reader.count(of: 14, "the number of keys")
            guard keyCount <= Self.largestCounts.keys, tensorCount <= Self.largestCounts.tensors else {
                throw GGUFHeaderReader.Fault("\(keyCount) keys and \(tensorCount) tensors are too many")
            }
            metadata = try Self.metadata(&reader, count: keyCount)
            alignment = try Self.alignment(metadata["general.alignment"])
            tensors = try Self.tensors(&reader, count: tensorCount)
            dataOffset = (reader.position + alignment - 1) / alignment * alignment
            // Where there is nothing after the header, nothing needs to be padded.
            guard tensors.isEmpty || dataOffset <= file.size else {
                throw GGUFHeaderReader.Fault("it ends after its header: the download never finished")
            }
        } catch let fault as GGUFHeaderReader.Fault {
            throw Self.damaged(url, fault.message)
        }
        self.url = url
        self.size = file.size
        self.file = file
    }

    /// The tensor's bytes as they lie in the file.
    /// - Precondition: it is a tensor of this file, and ``GGUFCheck`` has accepted the file.
    public func bytes(of tensor: Tensor) throws -> [UInt8] {
        guard let count = tensor.byteCount else {
            preconditionFailure("a tensor of a file that was checked")
        }
        return try file.bytes(at: dataOffset + tensor.offset, count: count)
    }

    static func damaged(
        _ url: URL,
        _ fault: String,
        remedy: String = "Fetch the file again, or take another edition of the model."
    ) -> BreezeError {
        BreezeError(.invalidFile, "\(url.path) is not a valid GGUF file: \(fault).", remedy: remedy)
    }

    private static func checkSignature(_ file: FileReader) throws {
        let prefix = try file.bytes(at: 0, count: min(file.size, FileSignature.length))
        guard !prefix.starts(with: Array("GGUF".utf8)) else { return }
        if let kind = FileSignature.name(of: prefix) {
            throw damaged(file.url, "it is \(kind)", remedy: "Take the model's .gguf file itself.")
        }
        throw damaged(
            file.url,
            prefix.count < 4 ? "it has \(file.size) bytes" : "it does not begin with GGUF"
        )
    }

    private static func check(version: UInt32, of url: URL) throws {
        guard !(2...3).contains(version) else { return }
        let name = (2...3).contains(version.byteSwapped) ? "for big-endian machines" : "of version \(version)"
        throw BreezeError(
            .unsupported,
            "\(url.path) is a GGUF file \(name); little-endian ones of version 2 and 3 are supported.",
            remedy: "Take a newer edition of the model."
        )
    }

    private static func metadata(_ reader: inout GGUFHeaderReader, count: Int) throws -> [String: GGUFValue] {
        var found = [String: GGUFValue](minimumCapacity: min(count, 1024))
        for index in 0..<count {
            let key = try reader.name("key \(index)", longest: longestKey)
            let value = try reader.value(for: key.excerpt)
            guard found.updateValue(value, forKey: key) == nil else {
                throw GGUFHeaderReader.Fault("the key \(key.excerpt) is there twice")
            }
        }
        return found
    }

    private static func alignment(_ value: GGUFValue?) throws -> Int {
        guard let value else { return 32 }
        guard case .uint32(let bytes) = value, bytes.nonzeroBitCount == 1, bytes <= largestAlignment else {
            throw GGUFHeaderReader.Fault("general.alignment is no power of two up to \(largestAlignment)")
        }
        return Int(bytes)
    }

    private static func tensors(_ reader: inout GGUFHeaderReader, count: Int) throws -> [Tensor] {
        var found: [Tensor] = []
        var names = Set<String>(minimumCapacity: min(count, 4096))
        for index in 0..<count {
            let name = try reader.name("the name of tensor \(index)", longest: longestName)
            guard names.insert(name).inserted else {
                throw GGUFHeaderReader.Fault("the tensor \"\(name.excerpt)\" is there twice")
            }
            found.append(try tensor(named: name, &reader))
        }
        return found
    }

    private static func tensor(named name: String, _ reader: inout GGUFHeaderReader) throws -> Tensor {
        let label = "tensor \"\(name.excerpt)\""
        let rank = try reader.integer(UInt32.self, "the rank of \(label)")
        guard rank <= 4 else {
            throw GGUFHeaderReader.Fault("\(label) has \(rank) dimensions; at most 4 are allowed")
        }
        var dimensions: [Int] = []
        var elements = 1
        for _ in 0..<rank {
            let size = try reader.integer(UInt64.self, "the shape of \(label)")
            let (product, overflow) = elements.multipliedReportingOverflow(by: Int(clamping: size))
            guard size > 0, size <= UInt64(Int.max), !overflow else {
                throw GGUFHeaderReader.Fault("\(label) has a dimension of \(size)")
            }
            dimensions.append(Int(size))
            elements = product
        }
        let code = try reader.integer(UInt32.self, "the type of \(label)")
        let offset = try reader.integer(UInt64.self, "the offset of \(label)")
        guard offset <= UInt64(Int.max) else {
            throw GGUFHeaderReader.Fault("\(label) has the offset \(offset), outside the file")
        }
        // Blocks run along the innermost dimension.
        let type = GGMLType(rawValue: code).flatMap {
            ((dimensions.first ?? 1) % $0.blockSize == 0) ? $0 : nil
        }
        return Tensor(
            name: name,
            dimensions: dimensions,
            typeCode: code,
            offset: Int(offset),
            elementCount: elements,
            byteCount: type?.byteCount(of: elements)
        )
    }
}
