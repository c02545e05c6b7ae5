/// Lays out a BERT encoder's nodes. Tensor names are those of the weights; `x` is `[batch, seq, width]`
/// throughout.
struct EncoderGraphBuilder {
    private let configuration: EncoderConfiguration
    private let weights: EncoderWeights
    private var graph: ONNXGraph

    init(configuration: EncoderConfiguration, weights: EncoderWeights) {
        self.configuration = configuration
        self.weights = weights
        let shape: [ONNXGraph.Dimension] = [.named("batch"), .named("seq")]
        self.graph = ONNXGraph(
            name: "encoder",
            inputs: ["input_ids", "attention_mask", "token_type_ids"].map {
                ONNXGraph.Value(name: $0, type: .int64, shape: shape)
            }
        )
    }

    mutating func build() throws -> ONNXGraph {
        makeConstants()
        var x = try embeddings()
        let mask = graph.add("Cast", ["attention_mask"], to: "mask", ["to": .integer(1)])
        let bias = attentionBias(mask)
        for layer in 0..<configuration.layers {
            x = try self.layer("encoder.layer.\(layer).", x, bias: bias)
        }
        pool(x, mask: mask)
        graph.outputs = [
            ONNXGraph.Value(
                name: "sentence_embedding",
                type: .float,
                shape: [.named("batch"), .fixed(configuration.width)]
            )
        ]
        return graph
    }

    private mutating func makeConstants() {
        let depth = configuration.width / configuration.heads
        _ = graph.scalar("one", 1)
        _ = graph.scalar("half", 0.5)
        _ = graph.scalar("root_depth", Float(depth).squareRoot())
        // Where 0 stands, Reshape keeps the input's own size: batch and sequence stay free.
        _ = graph.integers("split_shape", 0, 0, Int64(configuration.heads), Int64(depth))
        _ = graph.integers("merge_shape", 0, 0, Int64(configuration.width))
        _ = graph.integers("axis_1", 1)
        switch configuration.activation {
        case .gelu: _ = graph.scalar("root_2", Float(2).squareRoot())
        case .geluTanh:
            _ = graph.scalar("tanh_cubic", 0.044715)
            _ = graph.scalar("tanh_scale", (2 / Float.pi).squareRoot())
        case .relu: break
        }
    }

    private mutating func embeddings() throws -> String {
        let width = configuration.width
        func table(_ name: String, rows: Int) throws -> SafetensorsFile.Tensor {
            try weights.tensor("embeddings.\(name)_embeddings.weight", shape: [rows, width])
        }
        let words = graph.weights("words", try table("word", rows: configuration.vocabularySize))
        let types = graph.weights("types", try table("token_type", rows: configuration.tokenTypes))
        let positions = graph.weights("positions", try table("position", rows: configuration.positions))
        let shape = graph.add("Shape", ["input_ids"], to: "ids_shape")
        let length = graph.add("Gather", [shape, "axis_1"], to: "length", ["axis": .integer(0)])
        let zero = graph.integers("zero", 0)
        let position = graph.add("Slice", [positions, zero, length, zero], to: "position")
        let word = graph.add("Gather", [words, "input_ids"], to: "word")
        let type = graph.add("Gather", [types, "token_type_ids"], to: "type")
        let both = graph.add("Add", [word, type], to: "word_and_type")
        return try norm("embeddings.LayerNorm", graph.add("Add", [both, position], to: "embedded"))
    }

    /// 0 where a token stands and BERT's own -10000 at padding, `[batch, 1, 1, seq]`, to be added to the
    /// scores.
    private mutating func attentionBias(_ mask: String) -> String {
        let axes = graph.integers("axes_1_2", 1, 2)
        let wide = graph.add("Unsqueeze", [mask, axes], to: "mask_wide")
        let inverse = graph.add("Sub", ["one", wide], to: "mask_inverse")
        return graph.add("Mul", [inverse, graph.scalar("minus_10000", -10_000)], to: "attention_bias")
    }

    private mutating func layer(_ path: String, _ input: String, bias: String) throws -> String {
        let width = configuration.width
        let context = try attention(path + "attention.self.", input, bias: bias)
        var y = try linear(path + "attention.output.dense", context, from: width, to: width)
        let residual = graph.add("Add", [y, input], to: path + "attention.residual")
        let x = try norm(path + "attention.output.LayerNorm", residual)
        y = try linear(path + "intermediate.dense", x, from: width, to: configuration.intermediateWidth)
        y = activation(path + "intermediate.", y)
        y = try linear(path + "output.dense", y, from: configuration.intermediateWidth, to: width)
        return try norm(path + "output.LayerNorm", graph.add("Add", [y, x], to: path + "residual"))
    }

    private mutating func attention(_ path: String, _ x: String, bias: String) throws -> String {
        // The keys come transposed for the product with the queries.
        let query = try head(path + "query", x, order: [0, 2, 1, 3])
        let key = try head(path + "key", x, order: [0, 2, 3, 1])
        let value = try head(path + "value", x, order: [0, 2, 1, 3])
        let product = graph.add("MatMul", [query, key], to: path + "product")
        let scaled = graph.add("Div", [product, "root_depth"], to: path + "scaled")
        let masked = graph.add("Add", [scaled, bias], to: path + "masked")
        let scores = graph.add("Softmax", [masked], to: path + "scores", ["axis": .integer(-1)])
        let context = graph.add("MatMul", [scores, value], to: path + "context")
        let order: KeyValuePairs<String, ONNXGraph.Attribute> = ["perm": .integers([0, 2, 1, 3])]
        let rows = graph.add("Transpose", [context], to: path + "context_rows", order)
        return graph.add("Reshape", [rows, "merge_shape"], to: path + "merged")
    }

    private mutating func head(_ path: String, _ x: String, order: [Int64]) throws -> String {
        let y = try linear(path, x, from: configuration.width, to: configuration.width)
        let split = graph.add("Reshape", [y, "split_shape"], to: path + ".split")
        return graph.add("Transpose", [split], to: path + ".heads", ["perm": .integers(order)])
    }

    /// Weights are stored `[out, in]` and MatMul wants `[in, out]`.
    private mutating func linear(_ path: String, _ x: String, from: Int, to: Int) throws -> String {
        let tensor = try weights.tensor(path + ".weight", shape: [to, from])
        let weight = graph.weights(path + ".weight", tensor, transposed: true)
        let bias = graph.weights(path + ".bias", try weights.tensor(path + ".bias", shape: [to]))
        let product = graph.add("MatMul", [x, weight], to: path + ".product")
        return graph.add("Add", [bias, product], to: path)
    }

    private mutating func norm(_ path: String, _ x: String) throws -> String {
        let shape = [configuration.width]
        let gain = graph.weights(path + ".weight", try weights.tensor(path + ".weight", shape: shape))
        let bias = graph.weights(path + ".bias", try weights.tensor(path + ".bias", shape: shape))
        return graph.add(
            "LayerNormalization",
            [x, gain, bias],
            to: path,
            ["axis": .integer(-1), "epsilon": .float(configuration.normEpsilon)]
        )
    }

    private mutating func activation(_ path: String, _ x: String) -> String {
        switch configuration.activation {
        case .relu: return graph.add("Relu", [x], to: path + "relu")
        case .gelu:
            // Written out, x * (1 + erf(x / √2)) * ½: ONNX Runtime fuses this pattern while it loads.
            let scaled = graph.add("Div", [x, "root_2"], to: path + "gelu_scaled")
            let gate = graph.add("Erf", [scaled], to: path + "gelu_erf")
            return gated(path, x, gate)
        case .geluTanh:
            // ½ x (1 + tanh(√(2/π) (x + 0.044715 x³)))
            let square = graph.add("Mul", [x, x], to: path + "gelu_square")
            let cube = graph.add("Mul", [square, x], to: path + "gelu_cube")
            let cubic = graph.add("Mul", [cube, "tanh_cubic"], to: path + "gelu_cubic")
            let sum = graph.add("Add", [x, cubic], to: path + "gelu_sum")
            let scaled = graph.add("Mul", [sum, "tanh_scale"], to: path + "gelu_scaled")
            return gated(path, x, graph.add("Tanh", [scaled], to: path + "gelu_tanh"))
        }
    }

    private mutating func gated(_ path: String, _ x: String, _ gate: String) -> String {
        let shifted = graph.add("Add", [gate, "one"], to: path + "gelu_shifted")
        let product = graph.add("Mul", [x, shifted], to: path + "gelu_product")
        return graph.add("Mul", [product, "half"], to: path + "gelu")
    }

    private mutating func pool(_ x: String, mask: String) {
        let output = "sentence_embedding"
        let pooled = configuration.normalizes ? "pooled" : output
        switch configuration.pooling {
        case .cls:
            // A scalar index takes the axis away: [batch, width].
            let first = graph.add("Squeeze", ["zero"], to: "first")
            _ = graph.add("Gather", [x, first], to: pooled, ["axis": .integer(1)])
        case .mean:
            let row = graph.add("Unsqueeze", [mask, "axis_1"], to: "mask_row")
            let sums = graph.add("MatMul", [row, x], to: "token_sums")
            let sum = graph.add("Squeeze", [sums, "axis_1"], to: "token_sum")
            let tokens = graph.add("ReduceSum", [mask, "axis_1"], to: "tokens", ["keepdims": .integer(1)])
            let count = graph.add("Max", [tokens, graph.scalar("least", 1e-9)], to: "token_count")
            _ = graph.add("Div", [sum, count], to: pooled)
        }
        guard configuration.normalizes else { return }
        let attributes: KeyValuePairs<String, ONNXGraph.Attribute> = ["axis": .integer(-1), "p": .integer(2)]
        _ = graph.add("LpNormalization", [pooled], to: output, attributes)
    }
}
