import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct TFLiteWriterTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// Worked out by hand from the FlatBuffers documentation ("FlatBuffer Internals"): little-endian, offsets
    /// forward from where they stand, and back from a table to its vtable.
    @Test func `a small message has the bytes worked out by hand`() {
        let message = FlatBufferWriter(
            [0: .int32(7), 2: .text("hi"), 3: .byte(1), 4: .absent],
            identifier: "TEST"
        )
        let vtable: [UInt8] = [12, 0, 13, 0, 4, 0, 0, 0, 8, 0, 12, 0]
        let table: [UInt8] = [12, 0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0]
        let text: [UInt8] = [2, 0, 0, 0, 0x68, 0x69, 0]
        #expect(message.bytes == [20, 0, 0, 0] + Array("TEST".utf8) + vtable + table + text)
        #expect(message.size == message.bytes.count)
    }

    @Test func `vectors stand behind everything else, aligned and pointed at`() {
        let message = FlatBufferWriter(
            [0: .vector(1), 1: .tables([[0: .vector(0)]]), 2: .vector(1)],
            identifier: "TEST",
            vectors: [
                FlatBuffer.Vector(count: 3, elementSize: 1, alignment: 16),
                FlatBuffer.Vector(count: 2, elementSize: 8, alignment: 8),
            ]
        )
        func number(_ place: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(message.bytes[place + $1]) << (8 * $1) }
        }
        let table = number(0)
        let starts = message.vectorStarts
        #expect(table + 4 + number(table + 4) == starts[1])
        #expect(table + 12 + number(table + 12) == starts[1])
        let tables = table + 8 + number(table + 8)
        let inner = tables + 4 + number(tables + 4)
        #expect(inner + 4 + number(inner + 4) == starts[0])
        #expect(starts[0] >= message.bytes.count)
        #expect(starts[1] >= starts[0] + 4 + 3)
        #expect((starts[0] + 4) % 16 == 0)
        #expect((starts[1] + 4) % 8 == 0)
        #expect(message.size == starts[1] + 4 + 16)
    }

    @Test func `int8 rows are rounded to the nearest step of their own scale`() {
        // Scales 1, 0.5 and 1/127 by hand; 2.5 and -2.5 are ties, which go to the even neighbour.
        let rows = Int8Rows([127, 2.5, -2.5, 0.4, -63.5, 1, 0.25, 0.8, 0, 1, -1, 0.5], rows: 3)
        #expect(rows.scales == [1, 0.5, 1.0 / 127])
        #expect(rows.numbers == [127, 2, -2, 0, -127, 2, 0, 2, 0, 127, -127, 64])
    }

    @Test(arguments: [0, -0.0, Float.leastNonzeroMagnitude, .leastNormalMagnitude])
    func `a row of nothing but zeros or next to it gets a scale that is a number`(value: Float) {
        let rows = Int8Rows([value, value, 1, -1], rows: 2)
        #expect(rows.scales == [1, 1.0 / 127])
        #expect(rows.numbers == [0, 0, 127, -127])
    }

    @Test func `the largest finite numbers do not overflow`() {
        let most = Float.greatestFiniteMagnitude
        let rows = Int8Rows([most, -most, 0], rows: 1)
        #expect(rows.scales[0].isFinite)
        #expect(rows.numbers == [127, -127, 0])
    }

    private static let formats: [EncoderGraph.Format] = [.liteRT, .liteRTInt8]

    private func graph(_ format: EncoderGraph.Format, takesPairs: Bool = false) throws -> EncoderGraph {
        let directory = try TinyEncoder().write(to: folder)
        return try EncoderGraph(
            format,
            configuration: try EncoderConfiguration(directory: directory),
            weights: try SafetensorsFile(url: directory.appending(path: "model.safetensors")),
            takesPairs: takesPairs
        )
    }

    @Test(arguments: formats, [false, true])
    func `the file is as long as promised, and the same every time`(
        format: EncoderGraph.Format,
        takesPairs: Bool
    ) throws {
        let files = try ["a", "b"].map { name in
            let url = folder.url.appending(path: name)
            let graph = try graph(format, takesPairs: takesPairs)
            try graph.write(to: url)
            let bytes = [UInt8](try Data(contentsOf: url))
            #expect(bytes.count == graph.size)
            return bytes
        }
        #expect(files[0] == files[1])
        #expect(files[0][4..<8].elementsEqual("TFL3".utf8))
    }

    @Test(arguments: formats)
    func `parameters are those of the ONNX graph`(format: EncoderGraph.Format) throws {
        #expect(try graph(format).parameterCount == graph(.onnx).parameterCount)
    }

    @Test func `an int8 model needs less memory than an fp32 one`() throws {
        #expect(try graph(.liteRTInt8).estimatedMemory < graph(.liteRT).estimatedMemory)
        #expect(try graph(.liteRT).estimatedMemory == graph(.onnx).estimatedMemory)
    }

    @Test(arguments: formats)
    func `a value that is not a number is refused and leaves no file`(format: EncoderGraph.Format) throws {
        let directory = try TinyEncoder().write(to: folder)
        let weights = directory.appending(path: "model.safetensors")
        var bytes = [UInt8](try Data(contentsOf: weights))
        bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: [0, 0, 0xC0, 0x7F])
        try Data(bytes).write(to: weights)
        let graph = try EncoderGraph(
            format,
            configuration: try EncoderConfiguration(directory: directory),
            weights: try SafetensorsFile(url: weights)
        )
        let url = folder.url.appending(path: "graph.tflite")
        let error = #expect(throws: BreezeError.self) { try graph.write(to: url) }
        #expect(error?.code == .invalidFile)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func `a kind of operation is listed once for each of its versions`() {
        var graph = TFLiteGraph()
        var x = graph.input("x", [TFLiteGraph.openSize], .int32)
        for int8 in [true, false, true] { x = graph.add(.fullyConnected(int8: int8), [x], to: "y", [1]) }
        x = graph.add(.gelu(approximate: true), [x], to: "z", [1])
        let codes = TFLiteDescription(graph: graph).codes
        #expect(codes.map(\.kind) == [9, 9, 150])
        #expect(codes.map(\.version) == [12, 1, 1])
    }

    @Test(arguments: [1 << 14, 1 << 20])
    func `a graph over two gibibytes is refused before anything is written`(columns: Int) throws {
        var graph = TFLiteGraph()
        let huge = SafetensorsFile.Tensor(
            name: "a",
            type: .f32,
            shape: [1 << 15, columns],
            offset: 0,
            byteCount: columns << 17
        )
        _ = graph.weights("huge", huge)
        let error = #expect(throws: BreezeError.self) { try TFLiteWriter(graph: graph) }
        #expect(error?.code == .unsupported)
    }
}
