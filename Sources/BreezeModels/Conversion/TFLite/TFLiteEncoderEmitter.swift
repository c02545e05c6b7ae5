/// Lays an encoder out as LiteRT operators for one text of any length, nothing padded and so nothing masked.
/// A value is `[seq, width]`, or `[1, width]` once it is pooled.
struct TFLiteEncoderEmitter: EncoderEmitter {
    typealias Value = TFLiteGraph.Value

    private(set) var graph = TFLiteGraph()
    private let configuration: EncoderConfiguration
    /// Whether the linear layers' matrices are in int8.
    private let int8: Bool
    /// Whether the graph has an input for each token's type. Without it all are of the first type.
    private let takesPairs: Bool
    private let open = TFLiteGraph.openSize

    init(configuration: EncoderConfiguration, int8: Bool, takesPairs: Bool = false) {
        self.configuration = configuration
        self.int8 = int8
        self.takesPairs = takesPairs
    }

    mutating func embed(_ tables: EmbeddingTables) -> Value {
        let ids = graph.input("input_ids", [open], .int32)
        // Row numbers as an input: counting up to an open length would take three more operators in the graph.
        let positions = graph.input("positions", [open], .int32)
        let words = rows(of: graph.weights("words", tables.words), ids, to: "word")
        guard let types = tables.types else {
            let places = rows(of: graph.weights("places", tables.positions), positions, to: "place")
            return add(words, places, path: "embedded")
        }
        guard takesPairs else {
            let table = graph.sum("places", tables.positions, firstRowOf: types)
            return add(words, rows(of: table, positions, to: "place"), path: "embedded")
        }
        let typeIDs = graph.input("token_type_ids", [open], .int32)
        let places = rows(of: graph.weights("places", tables.positions), positions, to: "place")
        let type = rows(of: graph.weights("types", types), typeIDs, to: "type")
        return add(add(words, places, path: "word_and_place"), type, path: "embedded")
    }

    private mutating func rows(of table: Value, _ numbers: Value, to name: String) -> Value {
        graph.add(.gather(axis: 0), [table, numbers], to: name, [open, configuration.width])
    }

    mutating func norm(_ x: Value, _ weights: NormWeights) -> Value {
        let path = weights.path
        let shape = graph.shape(of: x)
        let mean = mean(x, axis: 1, to: path + ".mean")
        let square = graph.add(.squaredDifference, [x, mean], to: path + ".square", shape)
        let variance = self.mean(square, axis: 1, to: path + ".variance")
        let epsilon = graph.scalar(weights.epsilon)
        let safe = graph.add(.add, [variance, epsilon], to: path + ".safe", graph.shape(of: variance))
        let scale = graph.add(.reciprocalRoot, [safe], to: path + ".scale", graph.shape(of: safe))
        let centred = graph.add(.subtract, [x, mean], to: path + ".centred", shape)
        let unit = graph.add(.multiply, [centred, scale], to: path + ".unit", shape)
        let gain = graph.weights(path + ".weight", weights.gain)
        let bias = graph.weights(path + ".bias", weights.bias)
        let scaled = graph.add(.multiply, [unit, gain], to: path + ".scaled", shape)
        return graph.add(.add, [scaled, bias], to: path, shape)
    }

    private mutating func mean(_ x: Value, axis: Int, to name: String) -> Value {
        var shape = graph.shape(of: x)
        shape[axis] = 1
        return graph.add(.mean, [x, graph.integers([axis])], to: name, shape)
    }

    mutating func linear(_ x: Value, _ weights: LinearWeights) -> Value {
        let (path, factor) = (weights.path, weights.factor)
        let name = path + ".weight"
        // After pooling there is one row: int8 would save nothing there and cost accuracy.
        let int8 = int8 && graph.shape(of: x)[0] != 1
        let weight =
            int8
            ? graph.int8(name, weights.weight, factor: factor)
            : graph.weights(name, weights.weight, factor: factor)
        let bias = graph.weights(path + ".bias", weights.bias, factor: factor)
        let shape = [graph.shape(of: x)[0], weights.to]
        return graph.add(.fullyConnected(int8: int8), [x, weight, bias], to: path, shape)
    }

    mutating func attention(_ qkv: AttentionInputs<Value>, path: String) -> Value {
        let (heads, width) = (configuration.heads, configuration.width)
        let query = head(qkv.query, path: path + ".query")
        let key = head(qkv.key, path: path + ".key")
        let value = head(qkv.value, path: path + ".value")
        let square = [heads, open, open]
        let product = TFLiteOperation.batchMatMul(transposingSecond: true)
        let scores = graph.add(product, [query, key], to: path + ".product", square)
        let biased = qkv.bias.map { add(scores, $0, path: path + ".biased") } ?? scores
        let shares = graph.add(.softmax, [biased], to: path + ".scores", square)
        let sum = TFLiteOperation.batchMatMul(transposingSecond: false)
        let parts = [heads, open, width / heads]
        let context = graph.add(sum, [shares, value], to: path + ".context", parts)
        let rows = transpose(context, to: path + ".context_rows", [open, heads, width / heads])
        return reshape(rows, to: path + ".merged", [open, width])
    }

    mutating func relativeBias(_ bias: RelativeBias) -> Value {
        let columns = graph.input("relative_positions", [open, open], .int32)
        let table = graph.weights("relative_bias_table", bias.reading)
        let shape = [configuration.heads, open, open]
        return graph.add(.gather(axis: 1), [table, columns], to: "relative_bias", shape)
    }

    /// `[seq, width]` as `[heads, seq, depth]`.
    private mutating func head(_ x: Value, path: String) -> Value {
        let (heads, depth) = (configuration.heads, configuration.width / configuration.heads)
        let split = reshape(x, to: path + ".split", [open, heads, depth])
        return transpose(split, to: path + ".heads", [heads, open, depth])
    }

    private mutating func reshape(_ x: Value, to name: String, _ shape: [Int]) -> Value {
        // -1 says the same to Reshape: the size that is left over.
        graph.add(.reshape, [x, graph.integers(shape)], to: name, shape)
    }

    /// Swaps the first two axes of three.
    private mutating func transpose(_ x: Value, to name: String, _ shape: [Int]) -> Value {
        graph.add(.transpose, [x, graph.integers([1, 0, 2])], to: name, shape)
    }

    mutating func add(_ x: Value, _ y: Value, path: String) -> Value {
        graph.add(.add, [x, y], to: path, graph.shape(of: x))
    }

    mutating func tanh(_ x: Value, path: String) -> Value {
        graph.add(.tanh, [x], to: path, graph.shape(of: x))
    }

    mutating func activate(_ x: Value, _ function: EncoderConfiguration.Activation, path: String) -> Value {
        let operation: TFLiteOperation =
            switch function {
            case .relu: .relu
            case .gelu: .gelu(approximate: false)
            case .geluTanh: .gelu(approximate: true)
            }
        return graph.add(operation, [x], to: path, graph.shape(of: x))
    }

    mutating func pool(_ x: Value, _ pooling: EncoderConfiguration.Pooling) -> Value {
        switch pooling {
        case .mean: return mean(x, axis: 0, to: "pooled")
        case .cls:
            let width = graph.shape(of: x)[1]
            let from = graph.integers([0, 0])
            let sizes = graph.integers([1, width])
            return graph.add(.slice, [x, from, sizes], to: "pooled", [1, width])
        }
    }

    mutating func normalize(_ x: Value) -> Value {
        graph.add(.l2Normalization, [x], to: "normalized", graph.shape(of: x))
    }

    mutating func output(_ x: Value, name: String, width: Int) {
        graph.output(name, x)
    }
}
