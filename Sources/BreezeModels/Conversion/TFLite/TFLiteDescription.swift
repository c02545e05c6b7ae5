/// A ``TFLiteGraph`` in the tables of LiteRT's `schema.fbs`, with what has to be streamed behind them.
struct TFLiteDescription {
    /// A vector of the file, in the order in which they are written.
    enum Section {
        /// The scales of an int8 constant, before its data.
        case scales(TFLiteGraph.Value)
        case data(TFLiteGraph.Value)
        /// As many zeros, int64.
        case zeroPoints(Int)
    }

    struct Code: Equatable {
        /// Of `BuiltinOperator`.
        let kind: Int
        let version: Int
    }

    /// Stands for the open length in a shape, which must name one. A run with another length resizes.
    static let nominalLength = 16
    static let signature = "serving_default"
    /// What the schema demands of a buffer, so that a mapped file can be computed with as it lies there.
    private static let bufferAlignment = 16

    let graph: TFLiteGraph
    private(set) var sections: [Section] = []
    private(set) var root: FlatBuffer.Table = [:]
    private var buffers: [FlatBuffer.Table] = [[:]]  // The first is empty: that of a tensor without content.
    private var zeroPoints: [Int: Int] = [:]
    /// The operations that occur, each kind in each version once.
    private(set) var codes: [Code] = []

    init(graph: TFLiteGraph) {
        self.graph = graph
        let tensors = graph.tensors.indices.map { tensor($0) }
        let operators = graph.operators.map { self.operator($0) }
        let subgraph: FlatBuffer.Table = [
            0: .tables(tensors),
            1: .int32s(graph.inputs.map(\.value)),
            2: .int32s(graph.outputs.map(\.value)),
            3: .tables(operators),
            4: .text("main"),
        ]
        let signature: FlatBuffer.Table = [
            0: .tables(graph.inputs.map(Self.port)),
            1: .tables(graph.outputs.map(Self.port)),
            2: .text(Self.signature),
        ]
        root = [
            0: .int32(3),  // version
            1: .tables(codes.map(Self.code)),
            2: .tables([subgraph]),
            3: .text("breeze"),
            4: .tables(buffers),
            7: .tables([signature]),
        ]
    }

    var vectors: [FlatBuffer.Vector] {
        sections.map { section in
            switch section {
            case .scales(let value):
                return FlatBuffer.Vector(count: graph.shape(of: value)[0], elementSize: 4, alignment: 4)
            case .zeroPoints(let count):
                return FlatBuffer.Vector(count: count, elementSize: 8, alignment: 8)
            case .data(let value):
                let bytes = graph.tensors[value].elementCount * graph.tensors[value].type.size
                return FlatBuffer.Vector(count: bytes, elementSize: 1, alignment: Self.bufferAlignment)
            }
        }
    }

    private mutating func tensor(_ value: TFLiteGraph.Value) -> FlatBuffer.Table {
        let tensor = graph.tensors[value]
        let open = tensor.shape.contains(TFLiteGraph.openSize)
        let shape = tensor.shape.map { $0 == TFLiteGraph.openSize ? Self.nominalLength : $0 }
        var quantization = FlatBuffer.Value.absent
        if case .int8 = tensor.content {
            let zeroPoints = zeroPoints(tensor.shape[0])
            quantization = .table([2: .vector(append(.scales(value))), 3: .vector(zeroPoints)])
        }
        var buffer = 0
        if tensor.content != nil {
            buffer = buffers.count
            buffers.append([0: .vector(append(.data(value)))])
        }
        return [
            0: .int32s(shape),
            1: .byte(tensor.type.rawValue),
            2: .int32(buffer),
            3: .text(tensor.name),
            4: quantization,
            7: open ? .int32s(tensor.shape) : .absent,
            8: .byte(1),  // has_rank: no dimensions means a scalar
        ]
    }

    private mutating func append(_ section: Section) -> Int {
        sections.append(section)
        return sections.count - 1
    }

    /// Matrices of equally many rows share theirs.
    private mutating func zeroPoints(_ count: Int) -> Int {
        if let place = zeroPoints[count] { return place }
        let place = append(.zeroPoints(count))
        zeroPoints[count] = place
        return place
    }

    private mutating func `operator`(_ work: TFLiteGraph.Operator) -> FlatBuffer.Table {
        let options = work.operation.options
        return [
            0: .int32(place(of: work.operation)),
            1: .int32s(work.inputs),
            2: .int32s([work.output]),
            3: options.map { .byte($0.kind) } ?? .absent,
            4: options.map { .table($0.fields) } ?? .absent,
        ]
    }

    private mutating func place(of operation: TFLiteOperation) -> Int {
        let code = Code(kind: operation.code, version: operation.version)
        if let place = codes.firstIndex(of: code) { return place }
        codes.append(code)
        return codes.count - 1
    }

    private static func code(_ code: Code) -> FlatBuffer.Table {
        // The first field is from the time when 127 kinds were enough; 127 there means: see the last one.
        [0: .byte(UInt8(min(code.kind, 127))), 2: .int32(code.version), 3: .int32(code.kind)]
    }

    private static func port(_ port: TFLiteGraph.Port) -> FlatBuffer.Table {
        [0: .text(port.name), 1: .int32(port.value)]
    }
}
