/// Lays an encoder out as ONNX nodes, batch and sequence length free. A value is the name of a node's output,
/// `[batch, seq, width]` throughout.
struct ONNXEncoderEmitter: EncoderEmitter {
    private(set) var graph: ONNXGraph
    private let configuration: EncoderConfiguration

    init(configuration: EncoderConfiguration) {
        self.configuration = configuration
        graph = ONNXGraph(name: "encoder", inputs: [])
        for name in ["input_ids", "attention_mask"] { addInput(name) }
        makeConstants()
    }

    private mutating func addInput(_ name: String) {
        let shape: [ONNXGraph.Dimension] = [.named("batch"), .named("seq")]
        graph.inputs.append(ONNXGraph.Value(name: name, type: .int64, shape: shape))
    }

    private mutating func makeConstants() {
        _ = graph.scalar("one", 1)
        _ = graph.scalar("half", 0.5)
        // Where 0 stands, Reshape keeps the input's own size: batch and sequence stay free.
        let depth = configuration.width / configuration.heads
        _ = graph.integers("split_shape", 0, 0, Int64(configuration.heads), Int64(depth))
        _ = graph.integers("merge_shape", 0, 0, Int64(configuration.width))
        _ = graph.integers("axis_1", 1)
        _ = graph.integers("zero", 0)
        switch configuration.activation {
        case .gelu: _ = graph.scalar("root_2", Float(2).squareRoot())
        case .geluTanh:
            _ = graph.scalar("tanh_cubic", 0.044715)
            _ = graph.scalar("tanh_scale", (2 / Float.pi).squareRoot())
        case .relu: break
        }
        attentionBias(graph.add("Cast", ["attention_mask"], to: "mask", ["to": .integer(1)]))
    }

    /// 0 where a token stands and BERT's own -10000 at padding, `[batch, 1, 1, seq]`, to be added to the
    /// scores.
    private mutating func attentionBias(_ mask: String) {
        let axes = graph.integers("axes_1_2", 1, 2)
        let wide = graph.add("Unsqueeze", [mask, axes], to: "mask_wide")
        let inverse = graph.add("Sub", ["one", wide], to: "mask_inverse")
        _ = graph.add("Mul", [inverse, graph.scalar("minus_10000", -10_000)], to: "attention_bias")
    }

    mutating func embed(_ tables: EmbeddingTables) -> String {
        let words = graph.weights("words", tables.words)
        let positions = graph.weights("positions", tables.positions)
        let shape = graph.add("Shape", ["input_ids"], to: "ids_shape")
        let length = graph.add("Gather", [shape, "axis_1"], to: "length", ["axis": .integer(0)])
        let position: String
        if tables.firstPosition == 0 {
            position = graph.add("Slice", [positions, "zero", length, "zero"], to: "position")
        } else {
            let first = graph.integers("first_position", Int64(tables.firstPosition))
            let end = graph.add("Add", [length, first], to: "position_end")
            position = graph.add("Slice", [positions, first, end, "zero"], to: "position")
        }
        var sum = graph.add("Gather", [words, "input_ids"], to: "word")
        if let types = tables.types {
            addInput("token_type_ids")
            let table = graph.weights("types", types)
            let type = graph.add("Gather", [table, "token_type_ids"], to: "type")
            sum = graph.add("Add", [sum, type], to: "word_and_type")
        }
        return graph.add("Add", [sum, position], to: "embedded")
    }

    mutating func relativeBias(_ bias: RelativeBias) -> String {
        let table = graph.weights("distances", bias.reading)
        // Range wants scalars, and `length` is a list of one.
        let length = graph.add("Squeeze", ["length"], to: "length_scalar")
        let bounds = [graph.integer("range_start", 0), length, graph.integer("range_step", 1)]
        let places = graph.add("Range", bounds, to: "places")
        let keys = graph.add("Unsqueeze", [places, "zero"], to: "key_places")
        let queries = graph.add("Unsqueeze", [places, "axis_1"], to: "query_places")
        let distance = graph.add("Sub", [keys, queries], to: "distance")
        let middle = graph.integers("distance_middle", Int64(bias.longest - 1))
        let column = graph.add("Add", [distance, middle], to: "distance_column")
        return graph.add("Gather", [table, column], to: "relative_bias", ["axis": .integer(1)])
    }

    mutating func attention(_ qkv: AttentionInputs<String>, path: String) -> String {
        // The keys come transposed for the product with the queries.
        let query = head(qkv.query, order: [0, 2, 1, 3])
        let key = head(qkv.key, order: [0, 2, 3, 1])
        let value = head(qkv.value, order: [0, 2, 1, 3])
        var product = graph.add("MatMul", [query, key], to: path + ".product")
        if let bias = qkv.bias { product = graph.add("Add", [product, bias], to: path + ".biased") }
        let masked = graph.add("Add", [product, "attention_bias"], to: path + ".masked")
        let scores = graph.add("Softmax", [masked], to: path + ".scores", ["axis": .integer(-1)])
        let context = graph.add("MatMul", [scores, value], to: path + ".context")
        let order: KeyValuePairs<String, ONNXGraph.Attribute> = ["perm": .integers([0, 2, 1, 3])]
        let rows = graph.add("Transpose", [context], to: path + ".context_rows", order)
        return graph.add("Reshape", [rows, "merge_shape"], to: path + ".merged")
    }

    private mutating func head(_ x: String, order: [Int64]) -> String {
        let split = graph.add("Reshape", [x, "split_shape"], to: x + ".split")
        return graph.add("Transpose", [split], to: x + ".heads", ["perm": .integers(order)])
    }

    /// Weights are stored `[to, from]` and MatMul wants `[from, to]`.
    mutating func linear(_ x: String, _ weights: LinearWeights) -> String {
        let path = weights.path
        let factor = weights.factor
        let weight = graph.weights(path + ".weight", weights.weight, transposed: true, factor: factor)
        let bias = graph.weights(path + ".bias", weights.bias, factor: factor)
        let product = graph.add("MatMul", [x, weight], to: path + ".product")
        return graph.add("Add", [bias, product], to: path)
    }

    mutating func norm(_ x: String, _ weights: NormWeights) -> String {
        let gain = graph.weights(weights.path + ".weight", weights.gain)
        let bias = graph.weights(weights.path + ".bias", weights.bias)
        return graph.add(
            "LayerNormalization",
            [x, gain, bias],
            to: weights.path,
            ["axis": .integer(-1), "epsilon": .float(weights.epsilon)]
        )
    }

    mutating func add(_ x: String, _ y: String, path: String) -> String {
        graph.add("Add", [x, y], to: path)
    }

    mutating func tanh(_ x: String, path: String) -> String {
        graph.add("Tanh", [x], to: path)
    }

    mutating func activate(
        _ x: String,
        _ function: EncoderConfiguration.Activation,
        path: String
    ) -> String {
        switch function {
        case .relu: return graph.add("Relu", [x], to: path)
        case .gelu:
            // Written out, x * (1 + erf(x / √2)) * ½: ONNX Runtime fuses this pattern while it loads.
            let scaled = graph.add("Div", [x, "root_2"], to: path + ".scaled")
            let gate = graph.add("Erf", [scaled], to: path + ".erf")
            return gated(path, x, gate)
        case .geluTanh:
            // ½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))
            let square = graph.add("Mul", [x, x], to: path + ".square")
            let cube = graph.add("Mul", [square, x], to: path + ".cube")
            let cubic = graph.add("Mul", [cube, "tanh_cubic"], to: path + ".cubic")
            let sum = graph.add("Add", [x, cubic], to: path + ".sum")
            let scaled = graph.add("Mul", [sum, "tanh_scale"], to: path + ".scaled")
            return gated(path, x, graph.add("Tanh", [scaled], to: path + ".tanh"))
        }
    }

    private mutating func gated(_ path: String, _ x: String, _ gate: String) -> String {
        let shifted = graph.add("Add", [gate, "one"], to: path + ".shifted")
        let product = graph.add("Mul", [x, shifted], to: path + ".product")
        return graph.add("Mul", [product, "half"], to: path)
    }

    mutating func pool(_ x: String, _ pooling: EncoderConfiguration.Pooling) -> String {
        switch pooling {
        case .cls:
            // A scalar index takes the axis away: [batch, width].
            let first = graph.add("Squeeze", ["zero"], to: "first")
            return graph.add("Gather", [x, first], to: "pooled", ["axis": .integer(1)])
        case .mean:
            let row = graph.add("Unsqueeze", ["mask", "axis_1"], to: "mask_row")
            let sums = graph.add("MatMul", [row, x], to: "token_sums")
            let sum = graph.add("Squeeze", [sums, "axis_1"], to: "token_sum")
            let tokens = graph.add("ReduceSum", ["mask", "axis_1"], to: "tokens", ["keepdims": .integer(1)])
            let count = graph.add("Max", [tokens, graph.scalar("least", 1e-9)], to: "token_count")
            return graph.add("Div", [sum, count], to: "pooled")
        }
    }

    mutating func normalize(_ x: String) -> String {
        graph.add("LpNormalization", [x], to: "normalized", ["axis": .integer(-1), "p": .integer(2)])
    }

    /// An output has a name of its own, whatever computes it.
    mutating func output(_ x: String, name: String, width: Int) {
        _ = graph.add("Identity", [x], to: name)
        let shape: [ONNXGraph.Dimension] = [.named("batch"), .fixed(width)]
        graph.outputs.append(ONNXGraph.Value(name: name, type: .float, shape: shape))
    }
}
