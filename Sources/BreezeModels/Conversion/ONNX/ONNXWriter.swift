import BreezeCore
import BreezeFiles
import Foundation

/// Streams an ``ONNXGraph`` to a file. Lengths come from the shapes, before any weight is read, so memory
/// holds one tensor at a time.
struct ONNXWriter: EncoderGraphWriter {
    /// Bytes of the whole file.
    let size: Int
    private let graph: ONNXGraph
    private let head: ProtobufEncoder
    private let nodes: ProtobufEncoder
    private let initializers: [ProtobufEncoder]
    private let tail: ProtobufEncoder
    /// Protobuf's own limit on one message.
    private static let largest = Int(Int32.max)

    var parameterCount: Int {
        graph.constants.reduce(0) { sum, constant in
            guard case .weights(let reading) = constant.content else { return sum }
            return sum + reading.tensor.elementCount
        }
    }

    private enum Field {
        static let graphInitializer: UInt64 = 5
        static let tensorRawData: UInt64 = 9
    }

    /// - Throws: ``BreezeError`` `.unsupported` where the model would pass protobuf's limit of 2 GiB.
    init(graph: ONNXGraph) throws {
        let nodes = Self.nodes(of: graph)
        let values = Self.values(of: graph)
        let initializers = graph.constants.map(Self.initializer)
        let data = graph.constants.reduce(0) { $0 + $1.byteCount }
        let content =
            nodes.bytes.count + values.bytes.count + data
            + initializers.reduce(0) { $0 + $1.bytes.count }
        guard content <= Self.largest - 4096 else {
            throw BreezeError(
                .unsupported,
                "The model's ONNX graph would have \(content) bytes; the format's limit is \(Self.largest).",
                remedy: "Choose a smaller model."
            )
        }
        var head = ProtobufEncoder()
        head.integer(1, 8)  // ir_version
        head.string(2, "breeze")  // producer_name
        head.message(8) { $0.integer(2, 17) }  // opset_import: the default domain, version 17
        head.prefix(7, length: content)  // graph
        self.graph = graph
        self.head = head
        self.initializers = initializers
        self.tail = values
        self.nodes = nodes
        self.size = head.bytes.count + content
    }

    func write(to file: OutputFile, read: (WeightReading) throws -> [Float]) throws {
        try file.write(head.bytes)
        try file.write(nodes.bytes)
        for (constant, header) in zip(graph.constants, initializers) {
            try Task.checkCancellation()
            try file.write(header.bytes)
            switch constant.content {
            case .floats(let values): try file.writeLittleEndian(values.map(\.bitPattern))
            case .integers(let values): try file.writeLittleEndian(values)
            case .weights(let reading): try file.writeFloats(try read(reading))
            }
        }
        try file.write(tail.bytes)
    }

    private static func nodes(of graph: ONNXGraph) -> ProtobufEncoder {
        var encoder = ProtobufEncoder()
        for node in graph.nodes {
            encoder.message(1) { message in
                for input in node.inputs { message.string(1, input) }
                message.string(2, node.output)
                message.string(3, node.output)
                message.string(4, node.kind)
                for (name, value) in node.attributes {
                    message.message(5) { Self.attribute(name, value, into: &$0) }
                }
            }
        }
        encoder.string(2, graph.name)
        return encoder
    }

    private static func attribute(
        _ name: String,
        _ value: ONNXGraph.Attribute,
        into message: inout ProtobufEncoder
    ) {
        message.string(1, name)
        switch value {
        case .float(let number):
            message.float(2, number)
            message.integer(20, 1)
        case .integer(let number):
            message.integer(3, number)
            message.integer(20, 2)
        case .integers(let numbers):
            for number in numbers { message.integer(8, number) }
            message.integer(20, 7)
        }
    }

    /// Everything of the tensor but its data, which follows it.
    private static func initializer(_ constant: ONNXGraph.Constant) -> ProtobufEncoder {
        var tensor = ProtobufEncoder()
        for dimension in constant.shape { tensor.integer(1, Int64(dimension)) }
        tensor.integer(2, constant.type.rawValue)
        tensor.string(8, constant.name)
        tensor.prefix(Field.tensorRawData, length: constant.byteCount)
        var encoder = ProtobufEncoder()
        encoder.prefix(Field.graphInitializer, length: tensor.bytes.count + constant.byteCount)
        encoder.append(tensor)
        return encoder
    }

    private static func values(of graph: ONNXGraph) -> ProtobufEncoder {
        var encoder = ProtobufEncoder()
        for (field, values) in [(UInt64(11), graph.inputs), (12, graph.outputs)] {
            for value in values {
                encoder.message(field) { message in
                    message.string(1, value.name)
                    message.message(2) { type in
                        type.message(1) { tensor in
                            tensor.integer(1, value.type.rawValue)
                            tensor.message(2) { Self.shape(value.shape, into: &$0) }
                        }
                    }
                }
            }
        }
        return encoder
    }

    private static func shape(_ dimensions: [ONNXGraph.Dimension], into message: inout ProtobufEncoder) {
        for dimension in dimensions {
            message.message(1) { encoder in
                switch dimension {
                case .fixed(let size): encoder.integer(1, Int64(size))
                case .named(let name): encoder.string(2, name)
                }
            }
        }
    }
}
