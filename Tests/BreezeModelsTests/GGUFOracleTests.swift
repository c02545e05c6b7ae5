import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

/// What the package `gguf` of llama.cpp's makers reads and writes.
@Suite(.enabled(if: GGUFOracle.isThere, "make setup fetches the package gguf for the tests"))
struct GGUFOracleTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private struct Reading: Decodable {
        struct Key: Decodable {
            let types: [String]
            let value: String
        }
        struct Tensor: Decodable {
            let name: String
            let shape: [Int]
            let type: String
            let offset: Int
            let byteCount: Int
            let values: [Float]?
            let encoded: [String: String]?
        }
        let version: Int
        let alignment: Int
        let dataOffset: Int
        let keys: [String: Key]
        let tensors: [Tensor]
    }

    private func check(_ url: URL, _ values: [String: [Float]] = [:]) async throws -> Reading {
        let reading: Reading = try await Oracle.run("gguf_read.py", url, input: values.keys.sorted())
        let file = try GGUFFile(url: url)
        #expect(reading.version == Int(file.version))
        #expect(reading.dataOffset == file.dataOffset)
        #expect(Set(reading.keys.keys) == Set(file.metadata.keys))
        for (key, value) in file.metadata {
            let theirs = try #require(reading.keys[key])
            #expect(theirs.types.first == "\(value.kind)")
            if let text = value.stringValue {
                #expect(try JSONDecoder().decode(String.self, from: Data(theirs.value.utf8)) == text)
            }
            if let strings = value.arrayValue?.strings {
                #expect(try JSONDecoder().decode([String].self, from: Data(theirs.value.utf8)) == strings)
            }
            if let number = value.intValue { #expect(Int(theirs.value) == number) }
        }
        #expect(reading.tensors.map(\.name) == file.tensors.map(\.name))
        for (theirs, ours) in zip(reading.tensors, file.tensors) {
            #expect(theirs.shape == ours.dimensions)
            #expect(theirs.type == ours.type?.name)
            #expect(theirs.offset == ours.offset)
            #expect(theirs.byteCount == ours.byteCount)
            if let wanted = values[ours.name] { #expect(theirs.values == wanted) }
        }
        return reading
    }

    @Test(arguments: [GGMLType.f16, .f32, .bf16, .q8_0])
    func `a tiny Qwen3 is read by the package as it was meant`(type: GGMLType) async throws {
        var model = TinyQwen3(seed: 3)
        model.type = type
        let url = try model.write(to: folder)
        let reading = try await check(url, ["output_norm.weight": Array(repeating: 1, count: 64)])
        #expect(reading.keys["tokenizer.ggml.tokens"]?.types == ["array", "string"])
        #expect(reading.tensors.count == 2 + 2 * 11)
        try GGUFCheck.open(url)
    }

    @Test(arguments: [nil, ["LABEL_0"], ["no", "perhaps", "yes"]] as [[String]?])
    func `a tiny BERT is read by the package with the weights of the folder`(labels: [String]?) async throws {
        let encoder = TinyEncoder(seed: 5, labels: labels)
        let directory = try encoder.write(to: folder)
        let weights = try SafetensorsFile(url: directory.appending(path: "model.safetensors"))
        var wanted: [String: [Float]] = [:]
        var names = [
            "embeddings.word_embeddings.weight": "token_embd.weight",
            "encoder.layer.1.intermediate.dense.weight": "blk.1.ffn_up.weight",
        ]
        if labels != nil {
            names["pooler.dense.weight"] = "cls.weight"
            names["classifier.bias"] = "cls.output.bias"
        }
        for (theirs, ours) in names {
            let tensor = try #require(weights.tensors[theirs] ?? weights.tensors["bert.\(theirs)"])
            wanted[ours] = try weights.floats(of: tensor)
        }
        let url = try encoder.writeGGUF(to: folder)
        _ = try await check(url, wanted)
        try GGUFCheck.open(url)
    }

    /// Numbers of every size, with ties, subnormal ones and what is too large for half precision.
    @Test func `numbers are encoded to the bit as numpy and the package do`() async throws {
        var generator = SeededGenerator(seed: 9)
        var values: [Float] = [
            0, -0.0, 1, -1, 65_504, 65_519, -65_520, 1e6, 5.9604645e-8, 2.9802322e-8, 2.98023224e-8, 6.1e-5,
            6.0975552e-5, 1.00048828125, 1.00146484375, 0.333333, 127.5, -63.5, 0.5, -2.5,
        ]
        while values.count < 4096 {
            let exponent = Float.random(in: -28...15, using: &generator)
            values.append(Float.random(in: -1...1, using: &generator) * exp2(exponent))
        }
        var writer = GGUFWriter(architecture: "x")
        try writer.add("values", [64, 64], .f32, values)
        let url = folder.url.appending(path: "values.gguf")
        try writer.write(to: url)
        let reading = try await check(url, ["values": values])
        let encoded = try #require(reading.tensors.first?.encoded)
        for type in [GGMLType.f16, .bf16, .q8_0] {
            let ours = GGMLEncoder.encode(values, as: type).map { String(format: "%02x", $0) }
            #expect(ours.joined() == encoded[type.name], "\(type.name)")
        }
    }

    private struct Size: Decodable {
        let name: String
        let code: UInt32
        let block: Int
        let bytes: Int
    }

    @Test func `what the package writes is read, in every kind and type`() async throws {
        let url = folder.url.appending(path: "theirs.gguf")
        let strings = ["", "a", "naïve", "猫\u{0}", String(repeating: "long ", count: 20_000)]
        let sizes: [Size] = try await Oracle.run("gguf_write.py", url, input: ["strings": strings])
        for size in sizes {
            let type = try #require(GGMLType(rawValue: size.code), "\(size.name)")
            #expect(type.name == size.name)
            #expect(type.blockSize == size.block)
            // The package still has Q8_1 with two floats, where ggml-common.h has had two halves since 2023.
            #expect(type.blockByteCount == (type == .q8_1 ? 36 : size.bytes))
        }
        let file = try GGUFFile(url: url)
        let expected: [String: GGUFValue] = [
            "uint8": .uint8(255), "int8": .int8(-128), "uint16": .uint16(65_535), "int16": .int16(-32_768),
            "uint32": .uint32(.max), "int32": .int32(.min), "uint64": .uint64(.max), "int64": .int64(.min),
            "float32": .float32(0.1), "float64": .float64(0.1), "bool": .bool(true),
            "string": .string("naïve 猫"),
        ]
        for (key, value) in expected { #expect(file.metadata["a.\(key)"] == value) }
        #expect(file.metadata["a.strings"]?.arrayValue?.strings == strings)
        #expect(file.metadata["a.integers"]?.arrayValue?.integers == [-1, 0, 7])
        #expect(file.metadata["a.floats"]?.arrayValue?.doubles == [0.5, -2])
        #expect(file.metadata["a.words"]?.arrayValue?.kind == .uint16)
        #expect(file.metadata["a.words"]?.arrayValue?.integers == [1, 65_535])
        #expect(file.alignment == 64)
        #expect(file.tensors.count == sizes.count)
        for tensor in file.tensors where ![.f32, .q8_1].contains(tensor.type) {
            let bytes = try file.bytes(of: tensor)
            #expect(bytes.allSatisfy { $0 == UInt8(truncatingIfNeeded: tensor.typeCode) }, "\(tensor.name)")
        }
    }
}

enum GGUFOracle {
    static let isThere: Bool = {
        guard let python = Oracle.python else { return false }
        let library = python.deletingLastPathComponent().appending(path: "../lib")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
        return versions.contains { version in
            let path = library.appending(path: "\(version)/site-packages/gguf/gguf_reader.py").path
            return FileManager.default.fileExists(atPath: path)
        }
    }()
}
