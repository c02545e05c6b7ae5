import BreezeCore

/// The header of a safetensors file, checked as the format demands: every tensor known, in range, of the size
/// that its shape says, and all of them together covering the data without a hole or an overlap.
struct SafetensorsHeader {
    let tensors: [String: SafetensorsFile.Tensor]
    let metadata: [String: String]
    /// No published model needs more than 5; NumPy stops at 64.
    static let largestRank = 64

    /// `dataSize` are the bytes that follow the header.
    /// - Throws: ``Fault``, which ``SafetensorsFile`` turns into an error that names the file.
    init(parsing text: [UInt8], dataSize: Int) throws {
        guard text.first == UInt8(ascii: "{") else { throw Fault("the header does not begin with a brace") }
        let members: [String: JSONValue]
        do {
            members = try JSONValue(parsing: text).objectValue ?? [:]
        } catch let fault {
            throw Fault("the header is not valid JSON: \(fault.reason) (header byte \(fault.offset))")
        }
        var tensors: [String: SafetensorsFile.Tensor] = [:]
        for (name, entry) in members where name != "__metadata__" {
            tensors[name] = try Self.tensor(name, entry, dataSize: dataSize)
        }
        try Self.checkCoverage(of: tensors.values, dataSize: dataSize)
        self.tensors = tensors
        self.metadata = try Self.metadata(members["__metadata__"])
    }

    struct Fault: Error {
        let message: String
        init(_ message: String) { self.message = message }
    }

    private static func tensor(
        _ name: String,
        _ entry: JSONValue,
        dataSize: Int
    ) throws -> SafetensorsFile.Tensor {
        func fault(_ message: String) -> Fault { Fault("tensor \"\(name.excerpt)\" \(message)") }
        guard let typeName = entry["dtype"]?.stringValue else { throw fault("has no dtype") }
        guard let type = TensorType(rawValue: typeName) else {
            throw fault("has the unknown dtype \"\(typeName.excerpt)\"")
        }
        guard let dimensions = entry["shape"]?.arrayValue else { throw fault("has no shape") }
        guard dimensions.count <= largestRank else { throw fault("has \(dimensions.count) dimensions") }
        let shape = try dimensions.map { dimension in
            guard let size = dimension.intValue, size >= 0 else { throw fault("has an impossible shape") }
            return size
        }
        guard let ends = entry["data_offsets"]?.arrayValue, ends.count == 2, let start = ends[0].intValue,
            let end = ends[1].intValue
        else { throw fault("has no data_offsets") }
        guard start >= 0, start <= end, end <= dataSize else {
            throw fault(
                "lies at \(start)..<\(end) in \(dataSize) bytes of data: the file is cut short or damaged"
            )
        }
        guard let size = byteCount(type, shape) else { throw fault("has an impossible shape") }
        guard size == end - start else {
            throw fault("of shape \(shape) and type \(typeName) needs \(size) bytes and has \(end - start)")
        }
        return SafetensorsFile.Tensor(name: name, type: type, shape: shape, offset: start, byteCount: size)
    }

    /// `nil` on overflow, and for packed types that do not fill their last byte.
    private static func byteCount(_ type: TensorType, _ shape: [Int]) -> Int? {
        var bits = type.bits
        for size in shape {
            let (product, overflow) = bits.multipliedReportingOverflow(by: size)
            if overflow { return nil }
            bits = product
        }
        return bits % 8 == 0 ? bits / 8 : nil
    }

    private static func checkCoverage(
        of tensors: some Sequence<SafetensorsFile.Tensor>,
        dataSize: Int
    ) throws {
        var end = 0
        for tensor in tensors.sorted(by: { ($0.offset, $0.byteCount) < ($1.offset, $1.byteCount) }) {
            guard tensor.offset == end else {
                let kind = tensor.offset < end ? "overlaps its neighbour" : "leaves a hole before it"
                throw Fault(
                    "tensor \"\(tensor.name.excerpt)\" \(kind) at data byte \(min(tensor.offset, end))"
                )
            }
            end = tensor.offset + tensor.byteCount
        }
        guard end == dataSize else {
            throw Fault("\(dataSize - end) bytes at the end belong to no tensor")
        }
    }

    private static func metadata(_ entry: JSONValue?) throws -> [String: String] {
        guard let entry else { return [:] }
        guard let members = entry.objectValue else { throw Fault("__metadata__ is not an object") }
        return try members.mapValues { value in
            guard let text = value.stringValue else {
                throw Fault("__metadata__ holds something else than strings")
            }
            return text
        }
    }
}
