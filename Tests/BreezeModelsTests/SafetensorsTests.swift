import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct SafetensorsTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test func `a row of a matrix is read alone`() throws {
        var builder = SafetensorsBuilder()
        builder.add("before", [1], [9])
        builder.add("single", [3, 2], [0, 1, 2, 3, 4, 5])
        // The upper halves of 1, 2, 3 and -4 in fp32.
        builder.add("half", "BF16", [2, 2], [0x80, 0x3F, 0x00, 0x40, 0x40, 0x40, 0x80, 0xC0])
        let file = try SafetensorsFile(url: try folder.write("rows.safetensors", builder.bytes))
        let single = try #require(file.tensors["single"])
        let half = try #require(file.tensors["half"])
        #expect(try (0..<3).map { try file.floats(of: single.row($0)) } == [[0, 1], [2, 3], [4, 5]])
        #expect(try file.floats(of: half.row(1)) == [3, -4])
    }

    @Test func `tensors and metadata are read`() throws {
        var builder = SafetensorsBuilder()
        builder.add("a", [2, 3], [1, 2, 3, 4, 5, 6])
        builder.add("b", "I64", [1], [7, 0, 0, 0, 0, 0, 0, 0])
        builder.add("scalar", [], [0.5])
        builder.add("empty", [0, 4], [])
        let file = try SafetensorsFile(url: try folder.write("x.safetensors", builder.bytes))
        #expect(file.metadata == ["format": "pt"])
        #expect(file.tensors.keys.sorted() == ["a", "b", "empty", "scalar"])
        #expect(file.dataSize == 24 + 8 + 4)
        let a = try #require(file.tensors["a"])
        #expect(a.shape == [2, 3])
        #expect(a.elementCount == 6)
        #expect(try file.floats(of: a) == [1, 2, 3, 4, 5, 6])
        #expect(try file.floats(of: try #require(file.tensors["scalar"])) == [0.5])
        #expect(try file.floats(of: try #require(file.tensors["empty"])) == [])
        #expect(throws: BreezeError.self) { try file.floats(of: try #require(file.tensors["b"])) }
    }

    /// Bit patterns and values from IEEE 754: 1, -2, the largest half, the smallest subnormal, -0, and 1/3
    /// rounded.
    @Test func `half, bfloat and double become floats`() throws {
        func bytes<T: FixedWidthInteger>(_ values: [T]) -> [UInt8] {
            values.flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
        }
        var builder = SafetensorsBuilder()
        builder.add("f16", "F16", [6], bytes([0x3C00, 0xC000, 0x7BFF, 0x0001, 0x8000, 0x3555] as [UInt16]))
        builder.add("bf16", "BF16", [3], bytes([0x3F80, 0xC000, 0x3EAB] as [UInt16]))
        builder.add("f64", "F64", [2], bytes([Double(1.5), -0.1].map(\.bitPattern)))
        let file = try SafetensorsFile(url: try folder.write("x.safetensors", builder.bytes))
        let halves = try file.floats(of: try #require(file.tensors["f16"]))
        #expect(halves == [1, -2, 65_504, 5.960_464_5e-8, 0, 0.333_251_95])
        #expect(halves[4].sign == .minus)
        #expect(try file.floats(of: try #require(file.tensors["bf16"])) == [1, -2, 0.333_984_375])
        #expect(try file.floats(of: try #require(file.tensors["f64"])) == [1.5, -0.1])
        #expect(Float(half: 0x7C00) == .infinity)
        #expect(Float(half: 0x7E00).isNaN)
    }

    /// A header of two tensors of bytes.
    private static func pair(_ first: Range<Int>, _ second: Range<Int>, names: [String] = ["a", "b"])
        -> String
    {
        let entries = zip(names, [first, second]).map { name, range in
            let offsets = "[\(range.lowerBound),\(range.upperBound)]"
            return #""\#(name)":{"dtype":"U8","shape":[\#(range.count)],"data_offsets":\#(offsets)}"#
        }
        return "{\(entries.joined(separator: ","))}"
    }

    private static let sound = #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#

    @Test(arguments: [
        (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#, 4, "needs 8 bytes and has 4"),
        (#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 4, "cut short"),
        (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}"#, 4, "lies at 4..<0"),
        (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[-4,0]}}"#, 4, "lies at -4..<0"),
        (#"{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}"#, 4, "impossible shape"),
        (#"{"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}}"#, 4, "impossible shape"),
        (
            #"{"a":{"dtype":"F32","shape":[4294967296,4294967296,4],"data_offsets":[0,4]}}"#, 4,
            "impossible shape"
        ),
        (#"{"a":{"dtype":"F4","shape":[3],"data_offsets":[0,1]}}"#, 1, "impossible shape"),
        (#"{"a":{"dtype":"Q4_K","shape":[1],"data_offsets":[0,4]}}"#, 4, "unknown dtype \"Q4_K\""),
        (#"{"a":{"shape":[1],"data_offsets":[0,4]}}"#, 4, "no dtype"),
        (#"{"a":{"dtype":"F32","data_offsets":[0,4]}}"#, 4, "no shape"),
        (#"{"a":{"dtype":"F32","shape":[1]}}"#, 4, "no data_offsets"),
        (#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}}"#, 4, "no data_offsets"),
        (#"{"a":[]}"#, 0, "no dtype"),
        (sound, 8, "4 bytes at the end belong to no tensor"),
        (pair(0..<4, 2..<6), 6, "overlaps"), (pair(0..<2, 4..<6), 6, "hole"),
        (pair(0..<1, 0..<1, names: ["a", "a"]), 1, "\"a\" stands there twice"),
        (#"{"__metadata__":{"x":1}}"#, 0, "__metadata__"), (#"{"__metadata__":7}"#, 0, "__metadata__"),
        ("{\"a\":", 0, "not valid JSON"), ("{} {}", 0, "not valid JSON"), ("[1]", 0, "begin with a brace"),
        (" {}", 0, "begin with a brace"), ("", 0, "zeros"),
        ("{\"a\":" + String(repeating: "[", count: 5_000), 0, "nested"),
    ])
    func `a damaged header is refused by name`(header: String, dataSize: Int, fault: String) throws {
        let bytes = SafetensorsBuilder.file(header: header, data: Array(repeating: 1, count: dataSize))
        let url = try folder.write("bad.safetensors", bytes)
        let error = #expect(throws: BreezeError.self) { try SafetensorsFile(url: url) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(fault) == true, "\(error?.message ?? "no error")")
        #expect(error?.message.contains("bad.safetensors") == true)
    }

    @Test func `a rank over the cap is refused`() throws {
        let shape = Array(repeating: 1, count: 65)
        let header = #"{"a":{"dtype":"U8","shape":\#(shape),"data_offsets":[0,1]}}"#
        let url = try folder.write("x.safetensors", SafetensorsBuilder.file(header: header, data: [0]))
        #expect(throws: BreezeError.self) { try SafetensorsFile(url: url) }
    }

    @Test(
        arguments: [
            (Array("GGUF\u{3}\0\0\0".utf8), "GGUF"), (Array("PK\u{3}\u{4}....".utf8), "ZIP"),
            ([0x80, 0x02, 0x8A, 0x0A, 0x6C, 0xFC, 0x9C, 0x46, 0xF9], "pickle"),
            (Array("<!DOCTYPE html><html>".utf8), "web page"), (Array("\n<HTML>".utf8), "web page"),
            (Array("version https://git-lfs.github.com/spec/v1\noid".utf8), "Git LFS"),
            (Array("\u{1C}\0\0\0TFL3....".utf8), "TensorFlow Lite"),
            (Array("0\0\0\0ET12".utf8), "ExecuTorch"),
            (Array(#"{"metadata":{}}"#.utf8), "JSON"), (Array(repeating: 0, count: 100), "zeros"),
            ([0x1F, 0x8B, 8, 0], "gzip"), (Array("short".utf8), "too few"), ([], "0 bytes"),
            ([0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], "limit"), ([0, 1, 0, 0, 0, 0, 0, 0, 0x7B], "cut short"),
            (Array(repeating: 0xFF, count: 16), "limit"),
        ] as [([UInt8], String)]
    )
    func `a mislabelled file is named for what it is`(bytes: [UInt8], kind: String) throws {
        let url = try folder.write("model.safetensors", bytes)
        let error = #expect(throws: BreezeError.self) { try SafetensorsFile(url: url) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(kind) == true, "\(error?.message ?? "no error")")
    }

    /// 0x7B is a brace, 0x0280 the first bytes of a pickle, 0x0A and 0x20 white space, 0x1F8B a gzip's
    /// beginning.
    @Test(arguments: [0x7B, 0x280, 0x480, 0x0A0A, 0x2020, 0x8B1F])
    func `a header whose length looks like another format is read`(length: Int) throws {
        let header = #"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#
        let padded = header + String(repeating: " ", count: length - header.utf8.count)
        let url = try folder.write("x.safetensors", SafetensorsBuilder.file(header: padded, data: [1]))
        #expect(try SafetensorsFile(url: url).tensors.count == 1)
    }

    @Test func `a missing file and a folder are refused`() throws {
        let missing = folder.url.appending(path: "none.safetensors")
        #expect(throws: BreezeError.self) { try SafetensorsFile(url: missing) }
        #expect(throws: BreezeError.self) { try SafetensorsFile(url: folder.url) }
    }

    @Test func `a file cut short after it was opened is an error and no crash`() throws {
        var builder = SafetensorsBuilder()
        builder.add("a", [100_000], Array(repeating: 1, count: 100_000))
        let url = try folder.write("x.safetensors", builder.bytes)
        let file = try SafetensorsFile(url: url)
        #expect(truncate(url.path, 4_096) == 0)
        let error = #expect(throws: BreezeError.self) { try file.floats(of: try #require(file.tensors["a"])) }
        #expect(error?.code == .invalidFile)
    }

    @Test func `mutated files load or are refused, and never crash`() throws {
        var generator = SeededGenerator(seed: 7)
        var builder = SafetensorsBuilder()
        builder.add("weight", [4, 4], (0..<16).map(Float.init))
        builder.add("bias", "BF16", [4], Array(repeating: 0x3F, count: 8))
        builder.add("ids", "I64", [1], Array(repeating: 0, count: 8))
        let sound = builder.bytes
        let url = folder.url.appending(path: "mutant.safetensors")
        var refused = 0
        for _ in 0..<3_000 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...4, using: &generator) { Self.mutate(&bytes, &generator) }
            try Data(bytes).write(to: url)
            do {
                let file = try SafetensorsFile(url: url)
                for tensor in file.tensors.values where tensor.type.convertsToFloat {
                    #expect(try file.floats(of: tensor).count == tensor.elementCount)
                }
            } catch let error as BreezeError {
                #expect(error.code == .invalidFile)
                refused += 1
            }
        }
        // Most mutations hit the header; a run that refuses few of them does not check it.
        #expect(refused > 1_000)
    }

    private static func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard !bytes.isEmpty else { return }
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(UInt8(ascii: "9"), at: index)
        case 4: bytes.removeLast(min(bytes.count, Int.random(in: 1...64, using: &generator)))
        default: bytes[index] = Array("{}[]\",:0-e\\".utf8).randomElement(using: &generator) ?? 0
        }
    }
}
