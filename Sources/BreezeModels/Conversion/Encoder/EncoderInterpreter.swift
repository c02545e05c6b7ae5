import BreezeCore
import Foundation

/// Computes an encoder's answer for one text, in plain Swift and fp32, on the processor: the reference that a
/// runtime's answer is held against, so it shares nothing with any runtime. Meant for a few tokens; memory holds
/// one tensor of the weights at a time.
struct EncoderInterpreter: EncoderEmitter {
    private let configuration: EncoderConfiguration
    private let weights: EncoderWeights
    private let ids: [Int]
    private let typeIDs: [Int]
    private var answer: [Float] = []

    /// The embedding, or a logit a label. The special tokens are among `ids`; `typeIDs` says which text of a
    /// pair each token belongs to, `nil` that there is one text.
    /// - Throws: ``BreezeError`` `.invalidParameter` for ids that the model does not have, `.invalidFile` for
    ///   weights that do not fit; `CancellationError` between operations.
    static func run(
        configuration: EncoderConfiguration,
        weights file: SafetensorsFile,
        ids: [Int32],
        typeIDs: [Int32]? = nil
    ) throws -> [Float] {
        let weights = EncoderWeights(file: file, architecture: configuration.architecture)
        let types = typeIDs ?? [Int32](repeating: 0, count: ids.count)
        var interpreter = EncoderInterpreter(
            configuration: configuration,
            weights: weights,
            ids: ids.map(Int.init),
            typeIDs: types.map(Int.init)
        )
        try interpreter.checkInputs()
        try EncoderLayout(configuration: configuration, weights: weights).emit(into: &interpreter)
        return interpreter.answer
    }

    private func checkInputs() throws {
        let limit = configuration.longestSequence
        guard (1...limit).contains(ids.count), typeIDs.count == ids.count else {
            throw BreezeError(
                .invalidParameter,
                "\(ids.count) tokens with \(typeIDs.count) types are no text of 1 to \(limit) tokens."
            )
        }
        let words = configuration.vocabularySize
        let types = max(1, configuration.tokenTypes)
        guard ids.allSatisfy((0..<words).contains), typeIDs.allSatisfy((0..<types).contains) else {
            throw BreezeError(
                .invalidParameter,
                "A token's id is not below \(words), or its type not below \(types)."
            )
        }
    }

    /// Rows one after the other.
    struct Matrix {
        var columns: Int
        var values: [Float]

        var rows: Int { values.count / columns }
    }

    private func read(_ tensor: SafetensorsFile.Tensor) throws -> [Float] {
        try Task.checkCancellation()
        return try weights.floats(WeightReading(tensor: tensor))
    }

    /// Reads the rows that it needs and no more.
    func embed(_ tables: EmbeddingTables) throws -> Matrix {
        var values: [Float] = []
        for (place, id) in ids.enumerated() {
            var rows = [tables.words.row(id), tables.positions.row(tables.firstPosition + place)]
            if let types = tables.types { rows.append(types.row(typeIDs[place])) }
            var sum = try read(rows[0])
            for row in rows.dropFirst() {
                let other = try read(row)
                for column in sum.indices { sum[column] += other[column] }
            }
            values += sum
        }
        return Matrix(columns: configuration.width, values: values)
    }

    func norm(_ x: Matrix, _ weights: NormWeights) throws -> Matrix {
        let gain = try read(weights.gain)
        let bias = try read(weights.bias)
        var y = x
        let count = Float(x.columns)
        for start in stride(from: 0, to: x.values.count, by: x.columns) {
            var mean: Float = 0
            for column in 0..<x.columns { mean += x.values[start + column] }
            mean /= count
            var variance: Float = 0
            for column in 0..<x.columns {
                let distance = x.values[start + column] - mean
                variance += distance * distance
            }
            let scale = 1 / (variance / count + weights.epsilon).squareRoot()
            for column in 0..<x.columns {
                y.values[start + column] =
                    (x.values[start + column] - mean) * scale * gain[column] + bias[column]
            }
        }
        return y
    }

    func linear(_ x: Matrix, _ weights: LinearWeights) throws -> Matrix {
        let weight = try read(weights.weight)
        let bias = try read(weights.bias)
        var y = Matrix(columns: weights.to, values: [Float](repeating: 0, count: x.rows * weights.to))
        x.values.withUnsafeBufferPointer { x in
            weight.withUnsafeBufferPointer { weight in
                for to in 0..<weights.to {
                    for row in 0..<y.rows {
                        let dot = Self.dot(x, row * weights.from, weight, to * weights.from, weights.from)
                        y.values[row * weights.to + to] = (dot + bias[to]) * weights.factor
                    }
                }
            }
        }
        return y
    }

    /// The table's columns for each pair of tokens, a head's rows after the other's.
    func relativeBias(_ bias: RelativeBias) throws -> Matrix {
        let table = try weights.floats(bias.reading)
        let count = ids.count
        var values: [Float] = []
        for head in 0..<configuration.heads {
            let start = head * (2 * bias.longest - 1) + bias.longest - 1
            for query in 0..<count {
                for key in 0..<count { values.append(table[start + key - query]) }
            }
        }
        return Matrix(columns: count, values: values)
    }

    func attention(_ qkv: AttentionInputs<Matrix>, path: String) -> Matrix {
        let (count, width) = (ids.count, configuration.width)
        let depth = width / configuration.heads
        var context = Matrix(columns: width, values: [Float](repeating: 0, count: count * width))
        for head in 0..<configuration.heads {
            for query in 0..<count {
                let place = query * width + head * depth
                var scores = qkv.query.values.withUnsafeBufferPointer { queries in
                    qkv.key.values.withUnsafeBufferPointer { keys in
                        (0..<count).map { Self.dot(queries, place, keys, $0 * width + head * depth, depth) }
                    }
                }
                if let bias = qkv.bias {
                    for key in 0..<count { scores[key] += bias.values[(head * count + query) * count + key] }
                }
                Self.softmax(&scores)
                for key in 0..<count {
                    for column in 0..<depth {
                        let value = qkv.value.values[key * width + head * depth + column]
                        context.values[place + column] += scores[key] * value
                    }
                }
            }
        }
        return context
    }

    private static func softmax(_ scores: inout [Float]) {
        let top = scores.max() ?? 0
        var sum: Float = 0
        for index in scores.indices {
            scores[index] = exp(scores[index] - top)
            sum += scores[index]
        }
        for index in scores.indices { scores[index] /= sum }
    }

    func add(_ x: Matrix, _ y: Matrix, path: String) -> Matrix {
        var sum = x
        for index in sum.values.indices { sum.values[index] += y.values[index] }
        return sum
    }

    func activate(_ x: Matrix, _ function: EncoderConfiguration.Activation, path: String) -> Matrix {
        map(x) { value in
            switch function {
            case .relu: max(value, 0)
            case .gelu: value * 0.5 * (1 + erf(value / Float(2).squareRoot()))
            case .geluTanh: Self.geluTanh(value)
            }
        }
    }

    private static func geluTanh(_ x: Float) -> Float {
        let inner = (2 / Float.pi).squareRoot() * (x + 0.044715 * x * x * x)
        return 0.5 * x * (1 + Foundation.tanh(inner))
    }

    func tanh(_ x: Matrix, path: String) -> Matrix {
        map(x) { Foundation.tanh($0) }
    }

    private func map(_ x: Matrix, _ function: (Float) -> Float) -> Matrix {
        Matrix(columns: x.columns, values: x.values.map(function))
    }

    func pool(_ x: Matrix, _ pooling: EncoderConfiguration.Pooling) -> Matrix {
        let first = Matrix(columns: x.columns, values: Array(x.values[..<x.columns]))
        guard pooling == .mean else { return first }
        var sum = first
        for row in 1..<max(1, x.rows) {
            for column in 0..<x.columns { sum.values[column] += x.values[row * x.columns + column] }
        }
        let count = Float(x.rows)
        return map(sum) { $0 / count }
    }

    func normalize(_ x: Matrix) -> Matrix {
        let length = x.values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return map(x) { $0 / length }
    }

    mutating func output(_ x: Matrix, name: String, width: Int) {
        answer = x.values
    }

    /// Eight sums side by side: the optimiser makes one vector of them, and without it this is still the
    /// quickest form (SIMD types are eight times slower there).
    private static func dot(
        _ x: UnsafeBufferPointer<Float>,
        _ xStart: Int,
        _ y: UnsafeBufferPointer<Float>,
        _ yStart: Int,
        _ count: Int
    ) -> Float {
        guard let x = x.baseAddress.map({ $0 + xStart }), let y = y.baseAddress.map({ $0 + yStart }) else {
            return 0
        }
        var (s0, s1, s2, s3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (s4, s5, s6, s7): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var i = 0
        while i + 8 <= count {
            s0 += x[i] * y[i]
            s1 += x[i + 1] * y[i + 1]
            s2 += x[i + 2] * y[i + 2]
            s3 += x[i + 3] * y[i + 3]
            s4 += x[i + 4] * y[i + 4]
            s5 += x[i + 5] * y[i + 5]
            s6 += x[i + 6] * y[i + 6]
            s7 += x[i + 7] * y[i + 7]
            i += 8
        }
        var sum = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7))
        while i < count {
            sum += x[i] * y[i]
            i += 1
        }
        return sum
    }
}
