import BreezeCore
import BreezeFiles
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct ONNXWriterTests {
    /// The first three are the examples of the protobuf documentation ("Encoding").
    @Test func `wire bytes are those of the specification`() {
        var integer = ProtobufEncoder()
        integer.integer(1, 150)
        #expect(integer.bytes == [0x08, 0x96, 0x01])
        var string = ProtobufEncoder()
        string.string(2, "testing")
        #expect(string.bytes == [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6E, 0x67])
        var message = ProtobufEncoder()
        message.message(3) { $0.integer(1, 150) }
        #expect(message.bytes == [0x1A, 0x03, 0x08, 0x96, 0x01])
        var negative = ProtobufEncoder()
        negative.integer(1, -2)
        #expect(negative.bytes == [0x08, 0xFE] + Array(repeating: 0xFF, count: 8) + [0x01])
        var float = ProtobufEncoder()
        float.float(2, 1)
        #expect(float.bytes == [0x15, 0x00, 0x00, 0x80, 0x3F])
        var far = ProtobufEncoder()
        far.integer(20, 1)
        #expect(far.bytes == [0xA0, 0x01, 0x01])
    }

    /// Encoded by hand from onnx.proto: one Neg node, one scalar constant, one output.
    @Test func `a small graph has the bytes worked out by hand`() throws {
        let folder = try ScratchFolder()
        var graph = ONNXGraph(name: "g", inputs: [])
        let constant = graph.scalar("c", 1)
        _ = graph.add("Neg", [constant], to: "y", ["k": .integer(3)])
        graph.outputs = [ONNXGraph.Value(name: "y", type: .float, shape: [.fixed(2), .named("n")])]
        let node: [UInt8] = [
            0x0A, 0x18, 0x0A, 0x01, 0x63, 0x12, 0x01, 0x79, 0x1A, 0x01, 0x79, 0x22, 0x03, 0x4E, 0x65, 0x67,
            0x2A, 0x08, 0x0A, 0x01, 0x6B, 0x18, 0x03, 0xA0, 0x01, 0x02,
        ]
        let name: [UInt8] = [0x12, 0x01, 0x67]
        let initializer: [UInt8] = [0x2A, 0x0B, 0x10, 0x01, 0x42, 0x01, 0x63, 0x4A, 0x04, 0, 0, 0x80, 0x3F]
        let output: [UInt8] = [
            0x62, 0x14, 0x0A, 0x01, 0x79, 0x12, 0x0F, 0x0A, 0x0D, 0x08, 0x01, 0x12, 0x09, 0x0A, 0x02, 0x08,
            0x02,
            0x0A, 0x03, 0x12, 0x01, 0x6E,
        ]
        let content = node + name + initializer + output
        let head: [UInt8] = [0x08, 0x08, 0x12, 0x06] + Array("breeze".utf8) + [0x42, 0x02, 0x10, 0x11]
        let expected = head + [0x3A, UInt8(content.count)] + content
        let writer = try ONNXWriter(graph: graph)
        let url = folder.url.appending(path: "g.onnx")
        let file = try OutputFile(creating: url)
        try writer.write(to: file) { _ in [] }
        try file.finish()
        #expect(Array(try Data(contentsOf: url)) == expected)
        #expect(writer.size == expected.count)
    }

    @Test func `a graph over two gibibytes is refused before anything is written`() throws {
        var builder = SafetensorsBuilder()
        builder.add("a", [1], [1])
        let folder = try ScratchFolder()
        let file = try SafetensorsFile(url: try folder.write("x.safetensors", builder.bytes))
        var graph = ONNXGraph(name: "g", inputs: [])
        let tensor = try #require(file.tensors["a"])
        let huge = SafetensorsFile.Tensor(
            name: tensor.name,
            type: .f32,
            shape: [1 << 15, 1 << 14],
            offset: 0,
            byteCount: 1 << 31
        )
        _ = graph.weights("huge", huge)
        let error = #expect(throws: BreezeError.self) { try ONNXWriter(graph: graph) }
        #expect(error?.code == .unsupported)
    }
}
