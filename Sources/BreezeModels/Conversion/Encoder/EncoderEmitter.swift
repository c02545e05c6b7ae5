/// What an encoder is made of, operation by operation, in the terms of one target: a graph format, or plain
/// arithmetic. ``EncoderLayout`` calls it; so each architecture is described once, and each target knows
/// every architecture.
///
/// Shapes are those of one text: `seq` tokens, `width` numbers a token. A target may put a batch in front.
protocol EncoderEmitter {
    /// The result of an operation, as the target refers to it.
    associatedtype Value

    /// The sum of the tables' rows for each token, `[seq, width]`.
    mutating func embed(_ tables: EmbeddingTables) throws -> Value

    /// Layer norm over the last dimension.
    mutating func norm(_ x: Value, _ weights: NormWeights) throws -> Value

    /// `(x · weightᵀ + bias) · factor`, `[…, to]`.
    mutating func linear(_ x: Value, _ weights: LinearWeights) throws -> Value

    /// What attention adds to a query's and a key's product by how far apart the two stand,
    /// `[heads, seq, seq]`: the columns of ``RelativeBias/reading`` for each query (row) and key (column).
    ///
    /// A target that can count computes the columns itself. One that cannot (TFLite) has an input
    /// `relative_positions`, int32 `[seq, seq]`, with the column for query i and key j at `[i, j]`:
    /// `j - i + longest - 1`, where `longest` is ``EncoderConfiguration/longestSequence``.
    mutating func relativeBias(_ bias: RelativeBias) throws -> Value

    /// Softmax attention in heads over `[seq, width]` each; the query comes scaled.
    mutating func attention(_ qkv: AttentionInputs<Value>, path: String) throws -> Value

    mutating func add(_ x: Value, _ y: Value, path: String) throws -> Value

    mutating func activate(_ x: Value, _ function: EncoderConfiguration.Activation, path: String) throws
        -> Value

    mutating func tanh(_ x: Value, path: String) throws -> Value

    /// One vector for the text, `[1, width]`.
    mutating func pool(_ x: Value, _ pooling: EncoderConfiguration.Pooling) throws -> Value

    /// Scales each row to length 1.
    mutating func normalize(_ x: Value) throws -> Value

    /// Names what the encoder answers with, `[1, width]`; called once.
    mutating func output(_ x: Value, name: String, width: Int) throws
}

/// Rows that are added up for each token.
struct EmbeddingTables {
    /// `[vocabulary, width]`.
    let words: SafetensorsFile.Tensor
    /// `[positions, width]`.
    let positions: SafetensorsFile.Tensor
    /// The row of the first token; the others' follow. A target whose input is the row numbers leaves it to
    /// the caller, who adds it.
    let firstPosition: Int
    /// `[types, width]`; `nil` where the architecture has none.
    let types: SafetensorsFile.Tensor?
}

struct NormWeights {
    /// Of the weights, without what distinguishes gain and bias; also what a graph calls the result.
    let path: String
    let gain: SafetensorsFile.Tensor
    let bias: SafetensorsFile.Tensor
    let epsilon: Float
}

struct LinearWeights {
    let path: String
    /// `[to, from]`, as PyTorch stores it.
    let weight: SafetensorsFile.Tensor
    /// `[to]`.
    let bias: SafetensorsFile.Tensor
    /// Times which weight and bias are taken: 1 but for queries, which carry attention's 1/√depth.
    let factor: Float

    var from: Int { weight.shape[1] }
    var to: Int { weight.shape[0] }
}

struct AttentionInputs<Value> {
    let query: Value
    let key: Value
    let value: Value
    /// `[heads, seq, seq]`, added to the products before the softmax; `nil` for none.
    let bias: Value?
}

/// A bias by distance, one for the whole encoder.
struct RelativeBias {
    /// `[buckets, heads]`.
    let table: SafetensorsFile.Tensor
    /// Tokens of the longest text.
    let longest: Int

    /// The table spread out, `[heads, 2 · longest - 1]`: column `d + longest - 1` is for a key that stands `d`
    /// tokens after its query.
    var reading: WeightReading {
        WeightReading(tensor: table, rows: RelativePositions.rows(longest: longest), transposed: true)
    }
}
