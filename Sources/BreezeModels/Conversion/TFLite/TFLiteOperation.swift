/// What an operator of a ``TFLiteGraph`` does. Numbers are those of LiteRT's `schema.fbs`, versions the least
/// that its converter would write for what we use.
enum TFLiteOperation {
    case add
    case subtract
    case multiply
    case squaredDifference
    case reciprocalRoot
    case relu
    case tanh
    case gelu(approximate: Bool)
    /// What the first input has along the axis at each of the numbers in the second.
    case gather(axis: Int)
    /// Over the axes in the second input, which stay with the size 1.
    case mean
    /// `x · weightᵀ + bias`. With int8 weights each row of `x` is quantised as it comes.
    case fullyConnected(int8: Bool)
    case batchMatMul(transposingSecond: Bool)
    /// Over the last axis.
    case softmax
    /// To length 1 over the last axis.
    case l2Normalization
    case reshape
    case transpose
    /// From the offsets in the second input, sizes in the third; -1 means to the end.
    case slice

    /// Of `BuiltinOperator`.
    var code: Int {
        switch self {
        case .add: 0
        case .fullyConnected: 9
        case .l2Normalization: 11
        case .multiply: 18
        case .relu: 19
        case .reshape: 22
        case .softmax: 25
        case .tanh: 28
        case .gather: 36
        case .transpose: 39
        case .mean: 40
        case .subtract: 41
        case .slice: 65
        case .reciprocalRoot: 76
        case .squaredDifference: 99
        case .batchMatMul: 126
        case .gelu: 150
        }
    }

    var version: Int {
        // 12 is the one that knows int8 weights with a scale for each row.
        if case .fullyConnected(int8: true) = self { return 12 }
        return 1
    }

    /// The kind of `BuiltinOptions` and those of its fields that do not have their default.
    var options: (kind: UInt8, fields: FlatBuffer.Table)? {
        switch self {
        case .reciprocalRoot, .relu, .tanh: nil
        case .fullyConnected(let int8): (8, [3: .byte(int8 ? 1 : 0)])  // asymmetric_quantize_inputs
        case .softmax: (9, [0: .float(1)])  // beta
        case .add: (11, [:])
        case .l2Normalization: (12, [:])
        case .reshape: (17, [:])
        case .multiply: (21, [:])
        case .gather(let axis): (23, [0: .int32(axis)])
        case .transpose: (26, [:])
        case .mean: (27, [0: .byte(1)])  // keep_dims
        case .subtract: (28, [:])
        case .slice: (48, [:])
        case .squaredDifference: (76, [:])
        case .batchMatMul(let transposing): (101, [1: .byte(transposing ? 1 : 0)])  // adj_y
        case .gelu(let approximate): (116, [0: .byte(approximate ? 1 : 0)])
        }
    }
}
