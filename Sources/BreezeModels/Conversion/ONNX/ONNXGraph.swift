/// An ONNX graph before it is written: nodes, constants by reference, inputs and outputs. Field numbers and
/// meanings are those of `onnx.proto`, IR version 8, operator set 17.
struct ONNXGraph {
    enum ElementType: Int64 {
        case float = 1
        case int64 = 7
    }

    enum Attribute {
        case integer(Int64)
        case integers([Int64])
        case float(Float)
    }

    struct Node {
        let kind: String
        let inputs: [String]
        let output: String
        let attributes: KeyValuePairs<String, Attribute>
    }

    enum Content {
        case floats([Float])
        case integers([Int64])
        /// Read when it is written, and not kept.
        case weights(WeightReading)
    }

    struct Constant {
        let name: String
        let shape: [Int]
        let content: Content

        var type: ElementType {
            if case .integers = content { return .int64 }
            return .float
        }

        var byteCount: Int {
            shape.reduce(1, *) * (type == .int64 ? 8 : 4)
        }
    }

    enum Dimension {
        case fixed(Int)
        case named(String)
    }

    struct Value {
        let name: String
        let type: ElementType
        let shape: [Dimension]
    }

    var name: String
    var inputs: [Value]
    var outputs: [Value] = []
    private(set) var nodes: [Node] = []
    private(set) var constants: [Constant] = []

    init(name: String, inputs: [Value]) {
        self.name = name
        self.inputs = inputs
    }

    /// Appends a node and gives its output's name, for use as another one's input.
    mutating func add(
        _ kind: String,
        _ inputs: [String],
        to output: String,
        _ attributes: KeyValuePairs<String, Attribute> = [:]
    ) -> String {
        nodes.append(Node(kind: kind, inputs: inputs, output: output, attributes: attributes))
        return output
    }

    mutating func scalar(_ name: String, _ value: Float) -> String {
        constants.append(Constant(name: name, shape: [], content: .floats([value])))
        return name
    }

    mutating func integers(_ name: String, _ values: Int64...) -> String {
        constants.append(Constant(name: name, shape: [values.count], content: .integers(values)))
        return name
    }

    /// A number without a dimension, where ``integers(_:_:)`` makes a list.
    mutating func integer(_ name: String, _ value: Int64) -> String {
        constants.append(Constant(name: name, shape: [], content: .integers([value])))
        return name
    }

    mutating func weights(
        _ name: String,
        _ tensor: SafetensorsFile.Tensor,
        transposed: Bool = false,
        factor: Float = 1
    ) -> String {
        weights(name, WeightReading(tensor: tensor, transposed: transposed, factor: factor))
    }

    mutating func weights(_ name: String, _ reading: WeightReading) -> String {
        constants.append(Constant(name: name, shape: reading.shape, content: .weights(reading)))
        return name
    }
}
