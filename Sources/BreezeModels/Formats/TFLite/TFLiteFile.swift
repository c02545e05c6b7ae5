import BreezeCore

/// What a `.tflite` model states of itself: LiteRT's `schema.fbs`, read without weights.
struct TFLiteFile {
    struct Tensor {
        let name: String
        let shape: [TensorDimension]?
        let type: Int
        let buffer: Int
        let elementCount: Int
    }

    /// An entry into the model under the names that its maker gave the inputs and outputs.
    struct Signature {
        let key: String
        let inputs: [TensorDescription]
        let outputs: [TensorDescription]
    }

    let version: Int
    let description: String
    let inputs: [TensorDescription]
    let outputs: [TensorDescription]
    let signatures: [Signature]
    /// Those that hold weights; a buffer that several share counts once.
    let tensorCount: Int
    let parameterCount: Int
    let weightBytes: Int
    let bytesByType: [Int: Int]
    /// Names of the entries that are no model metadata of the usual schema.
    let entries: [String]
    /// Groups of weights in other files, by their names.
    let externalFiles: [String]
    let metadata: TFLiteModelMetadata?

    private enum Field {
        static let version = 0, subgraphs = 2, description = 3, buffers = 4, metadata = 6, signatures = 7
        static let externalGroups = 8
    }

    init(_ file: PagedFile) throws {
        let root = try FlatBufferReader(file, size: file.size).root()
        version = Int(try root.integer(Field.version, default: UInt32(0)))
        description = try root.text(Field.description) ?? ""
        var graphs: [TFLiteSubgraph] = []
        try root.vector(Field.subgraphs)?.forEachTable { graphs.append(try TFLiteSubgraph($0)) }
        guard let main = graphs.first else { throw FormatFault("it has no graph") }
        inputs = try main.ports(main.inputs)
        outputs = try main.ports(main.outputs)
        let buffers = try Self.buffers(root, of: file)
        var totals = Totals(buffers)
        for graph in graphs { totals.add(graph.tensors) }
        (tensorCount, parameterCount, weightBytes) = (totals.tensors, totals.parameters, totals.bytes)
        bytesByType = totals.bytesByType
        signatures = try Self.signatures(root, graphs)
        var names: [String] = []
        var described: TFLiteModelMetadata?
        try root.vector(Field.metadata)?.forEachTable { entry in
            let name = try entry.text(0) ?? ""
            let buffer = Int(try entry.integer(1, default: UInt32(0)))
            if name == TFLiteModelMetadata.entry, buffers.indices.contains(buffer) {
                described = try TFLiteModelMetadata(try file.bytes(buffers[buffer].prefix(1 << 20)))
            } else {
                names.append(name)
            }
        }
        (entries, metadata) = (names, described)
        var external: [String] = []
        try root.vector(Field.externalGroups)?.forEachTable { external.append(try $0.text(0) ?? "") }
        externalFiles = external
    }

    /// Where each buffer's bytes lie. Large models keep them behind the flatbuffer and state the place.
    private static func buffers(_ root: FlatBufferReader.Table, of file: PagedFile) throws -> [Range<Int>] {
        var found: [Range<Int>] = []
        try root.vector(Field.buffers)?.forEachTable { buffer in
            let offset: UInt64 = try buffer.integer(1)
            let size: UInt64 = try buffer.integer(2)
            guard offset > 1 else {
                found.append(try buffer.vector(0, width: 1)?.range ?? 0..<0)
                return
            }
            guard offset <= UInt64(file.size), size <= UInt64(file.size) - offset else {
                throw FormatFault("a buffer lies at \(offset), outside its \(file.size) bytes")
            }
            found.append(Int(offset)..<Int(offset + size))
        }
        return found
    }

    private static func signatures(
        _ root: FlatBufferReader.Table,
        _ graphs: [TFLiteSubgraph]
    ) throws -> [Signature] {
        var found: [Signature] = []
        try root.vector(Field.signatures)?.forEachTable { table in
            let graph = Int(try table.integer(4, default: UInt32(0)))
            guard graphs.indices.contains(graph) else {
                throw FormatFault("a signature names graph \(graph) of \(graphs.count)")
            }
            found.append(
                Signature(
                    key: try table.text(2) ?? "",
                    inputs: try graphs[graph].ports(ofMap: try table.vector(0)),
                    outputs: try graphs[graph].ports(ofMap: try table.vector(1))
                )
            )
        }
        return found
    }

    private struct Totals {
        let buffers: [Range<Int>]
        var tensors = 0
        var parameters = 0
        var bytes = 0
        var bytesByType: [Int: Int] = [:]
        private var seen: Set<Int> = []

        init(_ buffers: [Range<Int>]) { self.buffers = buffers }

        /// The first buffer is by the schema an empty one, for tensors without content.
        mutating func add(_ all: [Tensor]) {
            for tensor in all where tensor.buffer > 0 && buffers.indices.contains(tensor.buffer) {
                let size = buffers[tensor.buffer].count
                guard size > 0, seen.insert(tensor.buffer).inserted else { continue }
                tensors += 1
                parameters = parameters.addingOrMost(tensor.elementCount)
                bytes += size
                bytesByType[tensor.type, default: 0] += size
            }
        }
    }
}
