import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

/// Files that are small and claim to be large, or have no end.
struct FormatReadingTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func refusal(_ bytes: [UInt8], reads: Int? = nil) throws -> BreezeError? {
        let url = try folder.write("model", bytes)
        let tally = ReadTally()
        let error = #expect(throws: BreezeError.self) {
            try ReadTally.$current.withValue(tally) { try MetadataRegistry().metadata(of: url) }
        }
        #expect(tally.bytes <= 3 * bytes.count + 1024)
        #expect(tally.largest <= bytes.count)
        return error
    }

    private static func numbers<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
        values.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
    }

    /// Graphs within graphs, by a node's attribute: fields 1, 5 and 6 in each other.
    private static func nested(_ depth: Int) -> [UInt8] {
        var graph = ProtobufEncoder()
        for _ in 0..<depth {
            var outer = ProtobufEncoder()
            outer.message(1) { node in
                node.message(5) { attribute in attribute.message(6, graph) }
            }
            graph = outer
        }
        var model = ProtobufEncoder()
        model.integer(1, 8)
        model.message(7, graph)
        return model.bytes
    }

    @Test func `graphs within graphs have an end`() throws {
        let sound = try folder.write("sound", Self.nested(15))
        #expect(try MetadataRegistry().metadata(of: sound).format == .onnx)
        let error = try refusal(Self.nested(3000))
        #expect(error?.message.contains("nested too deeply") == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            // A graph that claims 2^63 bytes; a graph of 100 in a file of 10.
            ([0x08, 8, 0x3A, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], "claims"),
            ([0x08, 8, 0x3A, 100, 0, 0, 0, 0, 0, 0], "claims 100 bytes and 6 are left"),
            // A group within the graph, which no format has; a field of the number 0; an eleventh byte.
            ([0x08, 8, 0x3A, 1, 0x0B], "wire type 3"), ([0x08, 8, 0x3A, 2, 0x00, 0], "number 0"),
            ([0x08, 8, 0x3A, 12, 0x08] + Array(repeating: 0x80, count: 10) + [1], "ten bytes"),
        ] as [([UInt8], String)]
    )
    func `a damaged ONNX model is refused by its fault`(bytes: [UInt8], words: String) throws {
        let error = try refusal(bytes)
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: ["/etc/passwd", "../weights", "a/../../b"])
    func `weights outside the model's folder are refused`(path: String) throws {
        var model = ProtobufEncoder()
        model.integer(1, 8)
        model.message(7) { graph in
            graph.message(5) { tensor in
                tensor.integer(14, 1)
                tensor.message(13) { entry in
                    entry.string(1, "location")
                    entry.string(2, path)
                }
            }
        }
        let error = try refusal(model.bytes)
        #expect(error?.message.contains("outside its folder") == true, "\(error?.message ?? "")")
    }

    /// Twenty thousand graphs that are the same one, of twenty thousand tensors that are the same one.
    @Test func `a small flatbuffer that points at the same table again and again is refused`() throws {
        let count = 20_000
        var bytes: [UInt8] = [0, 0, 0, 0] + Array("TFL3".utf8)
        let vtables = Self.numbers([10, 8, 0, 0, 4, 0, 6, 8, 4, 0, 4, 4] as [UInt16])
        let (model, graph, tensor) = (bytes.count, bytes.count + 12, bytes.count + 20)
        bytes += vtables
        /// A table of one field that points at a vector right behind it, of offsets that all lead behind it.
        func table(_ vtable: Int) {
            bytes += Self.numbers([Int32(bytes.count - vtable), 4])
            let vector = bytes.count
            bytes += Self.numbers([UInt32(count)])
            let end = vector + 4 + 4 * count
            for index in 0..<count { bytes += Self.numbers([UInt32(end - vector - 4 - 4 * index)]) }
        }
        bytes.replaceSubrange(0..<4, with: Self.numbers([UInt32(bytes.count)]))
        table(model)
        table(graph)
        bytes += Self.numbers([Int32(bytes.count - tensor)])
        let error = try refusal(bytes)
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains("again and again") == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (0, [0xFF, 0xFF, 0xFF, 0x7F], "cut short or damaged"), (0, [4, 0, 0, 0], "damaged"),
            (8, [3, 0], "is none"), (8, [0xFF, 0xFF], "is none"), (10, [2, 0], "is none"),
            (16, [0xFF, 0xFF], "outside it"),
        ] as [(Int, [UInt8], String)]
    )
    func `a damaged flatbuffer is refused by its fault`(place: Int, patch: [UInt8], words: String) throws {
        // A vtable of three fields, of which the last is there, and the table that it describes.
        var bytes = [20, 0, 0, 0] + Array("TFL3".utf8) + Self.numbers([10, 8, 0, 0, 4, 0] as [UInt16])
        bytes += Self.numbers([12, 4] as [Int32]) + Self.numbers([0] as [UInt32])
        bytes.replaceSubrange(place..<place + patch.count, with: patch)
        let error = try refusal(bytes)
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    /// 64 GiB on paper, of which the disk holds nothing.
    @Test func `weights are stepped over`() throws {
        let hole = 1 << 36
        var data = ProtobufEncoder()
        data.integer(1, Int64(hole / 4))  // dims
        data.integer(2, 1)  // float
        data.prefix(9, length: hole)  // raw_data
        var tensor = ProtobufEncoder()
        tensor.prefix(5, length: data.bytes.count + hole)
        tensor.append(data)
        var model = ProtobufEncoder()
        model.integer(1, 8)
        model.prefix(7, length: tensor.bytes.count + hole)
        model.append(tensor)
        let url = try folder.write("hole.onnx", model.bytes)
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(model.bytes.count + hole))
        try handle.close()
        let tally = ReadTally()
        let found = try ReadTally.$current.withValue(tally) { try MetadataRegistry().metadata(of: url) }
        #expect(found.parameterCount == Int64(hole / 4))
        #expect(found.memoryEstimate == Int64(hole))
        #expect(tally.bytes < 1 << 16, "\(tally.bytes)")
    }

    @Test func `a piece's name counts from 1 with five digits`() {
        let name = PieceName("model-q4-00002-of-00005.gguf")
        #expect(name?.number == 2 && name?.count == 5)
        #expect(name?.all.first == "model-q4-00001-of-00005.gguf")
        #expect(name?.all.count == 5)
        for other in ["model.gguf", "m-00006-of-00005.gguf", "m-00000-of-00005.gguf", "m-1-of-5.gguf"] {
            #expect(PieceName(other) == nil, "\(other)")
        }
    }
}
