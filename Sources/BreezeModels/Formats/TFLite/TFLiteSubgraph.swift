/// One graph of a `.tflite` model: its tensors, and which of them go in and out.
struct TFLiteSubgraph {
    let tensors: [TFLiteFile.Tensor]
    let inputs: [Int32]
    let outputs: [Int32]

    init(_ table: FlatBufferReader.Table) throws {
        var found: [TFLiteFile.Tensor] = []
        try table.vector(0)?.forEachTable { found.append(try Self.tensor($0)) }
        tensors = found
        inputs = try table.vector(1)?.integers() ?? []
        outputs = try table.vector(2)?.integers() ?? []
    }

    func ports(_ indices: [Int32]) throws -> [TensorDescription] {
        try indices.map { try port(Int($0)) }
    }

    /// The `TensorMap`s of a signature.
    func ports(ofMap vector: FlatBufferReader.Vector?) throws -> [TensorDescription] {
        var found: [TensorDescription] = []
        try vector?.forEachTable { entry in
            var port = try port(Int(try entry.integer(1, default: UInt32(0))))
            port.name = try entry.text(0) ?? port.name
            found.append(port)
        }
        return found
    }

    private func port(_ index: Int) throws -> TensorDescription {
        guard tensors.indices.contains(index) else {
            throw FormatFault("an input or output is tensor \(index) of \(tensors.count)")
        }
        let tensor = tensors[index]
        return TensorDescription(
            name: tensor.name,
            shape: tensor.shape,
            elementType: Self.typeName(tensor.type)
        )
    }

    private static func tensor(_ table: FlatBufferReader.Table) throws -> TFLiteFile.Tensor {
        let shape: [Int32] = try table.vector(0)?.integers() ?? []
        // The same with -1 for open dimensions, and only where there is one.
        let signature: [Int32] = try table.vector(7)?.integers() ?? []
        let hasRank: UInt8 = try table.integer(8)
        let sizes = signature.count == shape.count && !signature.isEmpty ? signature : shape
        var elements = 1
        for size in shape {
            let (product, overflow) = elements.multipliedReportingOverflow(by: Int(size))
            guard size >= 0, !overflow else { throw FormatFault("a tensor has a dimension of \(size)") }
            elements = product
        }
        return TFLiteFile.Tensor(
            name: try table.text(3) ?? "",
            // Before has_rank there was no difference between a scalar and an unknown rank.
            shape: sizes.isEmpty && hasRank == 0 ? nil : sizes.map { $0 < 0 ? .open : .fixed(Int($0)) },
            type: Int(try table.integer(1, default: Int8(0))),
            buffer: Int(try table.integer(2, default: UInt32(0))),
            elementCount: elements
        )
    }

    /// `TensorType` of the schema, under the product's own names.
    static func typeName(_ number: Int) -> String? {
        let names = [
            "float32", "float16", "int32", "uint8", "int64", "string", "bool", "int16", "complex64", "int8",
            "float64", "complex128", "uint64", "resource", "variant", "uint32", "uint16", "int4", "bfloat16",
            "int2", "uint4", "float8e4m3fn", "float8e5m2",
        ]
        return names.indices.contains(number) ? names[number] : nil
    }
}
