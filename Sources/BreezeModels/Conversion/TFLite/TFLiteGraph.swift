/// A LiteRT graph before it is written: tensors, operators in the order of their work, constants by
/// reference. One subgraph under one signature; the sequence's length is left open.
struct TFLiteGraph {
    /// A tensor's place in ``tensors``.
    typealias Value = Int

    /// Numbered as `TensorType`.
    enum ElementType: UInt8 {
        case float32 = 0
        case int32 = 2
        case int8 = 9

        var size: Int { self == .int8 ? 1 : 4 }
    }

    enum Content {
        case floats([Float])
        case integers([Int32])
        /// Read when it is written, and not kept.
        case weights(WeightReading)
        /// A table with the first row of another one added to each of its rows.
        case sum(WeightReading, firstRowOf: WeightReading)
        /// A matrix as ``Int8Rows``.
        case int8(WeightReading)

        var readings: [WeightReading] {
            switch self {
            case .floats, .integers: []
            case .weights(let reading), .int8(let reading): [reading]
            case .sum(let table, let other): [table, other]
            }
        }
    }

    struct Tensor {
        let name: String
        /// ``openSize`` stands for the sequence's length.
        let shape: [Int]
        let type: ElementType
        /// `nil` for what comes from outside or from an operator.
        let content: Content?

        var elementCount: Int { shape.reduce(1, *) }
    }

    struct Operator {
        let operation: TFLiteOperation
        let inputs: [Value]
        let output: Value
    }

    struct Port {
        let name: String
        let value: Value
    }

    static let openSize = -1

    private(set) var tensors: [Tensor] = []
    private(set) var operators: [Operator] = []
    private(set) var inputs: [Port] = []
    private(set) var outputs: [Port] = []
    private var integerConstants: [[Int32]: Value] = [:]
    private var floatConstants: [Float: Value] = [:]

    func shape(of value: Value) -> [Int] { tensors[value].shape }

    private mutating func tensor(
        _ name: String,
        _ shape: [Int],
        _ type: ElementType = .float32,
        _ content: Content? = nil
    ) -> Value {
        tensors.append(Tensor(name: name, shape: shape, type: type, content: content))
        return tensors.count - 1
    }

    mutating func input(_ name: String, _ shape: [Int], _ type: ElementType) -> Value {
        let value = tensor(name, shape, type)
        inputs.append(Port(name: name, value: value))
        return value
    }

    mutating func output(_ name: String, _ value: Value) {
        outputs.append(Port(name: name, value: value))
    }

    /// Appends an operator and gives its result, for use as another one's input.
    mutating func add(
        _ operation: TFLiteOperation,
        _ inputs: [Value],
        to name: String,
        _ shape: [Int]
    ) -> Value {
        let output = tensor(name, shape)
        operators.append(Operator(operation: operation, inputs: inputs, output: output))
        return output
    }

    /// Equal ones are one constant.
    mutating func scalar(_ number: Float) -> Value {
        if let value = floatConstants[number] { return value }
        let value = tensor("scalar_\(number)", [], .float32, .floats([number]))
        floatConstants[number] = value
        return value
    }

    /// A list, such as a shape. Equal ones are one constant.
    mutating func integers(_ numbers: [Int]) -> Value {
        let content = numbers.map { Int32($0) }
        if let value = integerConstants[content] { return value }
        let name = (["integers"] + content.map(String.init)).joined(separator: "_")
        let value = tensor(name, [content.count], .int32, .integers(content))
        integerConstants[content] = value
        return value
    }

    mutating func weights(_ name: String, _ tensor: SafetensorsFile.Tensor, factor: Float = 1) -> Value {
        weights(name, WeightReading(tensor: tensor, factor: factor))
    }

    mutating func weights(_ name: String, _ reading: WeightReading) -> Value {
        tensor(name, reading.shape, .float32, .weights(reading))
    }

    mutating func int8(_ name: String, _ tensor: SafetensorsFile.Tensor, factor: Float = 1) -> Value {
        let reading = WeightReading(tensor: tensor, factor: factor)
        return self.tensor(name, reading.shape, .int8, .int8(reading))
    }

    mutating func sum(
        _ name: String,
        _ table: SafetensorsFile.Tensor,
        firstRowOf other: SafetensorsFile.Tensor
    ) -> Value {
        let content = Content.sum(WeightReading(tensor: table), firstRowOf: WeightReading(tensor: other))
        return tensor(name, table.shape, .float32, content)
    }
}
