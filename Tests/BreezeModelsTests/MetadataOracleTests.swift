import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

/// Each format against the package of its own makers.
@Suite(.enabled(if: MetadataOracle.isThere, MetadataOracle.missing))
struct MetadataOracleTests {
    private let folder: ScratchFolder
    private let registry = MetadataRegistry()

    init() throws { folder = try ScratchFolder() }

    private func compare(_ ours: ModelMetadata, _ theirs: MetadataOracle.Stated) {
        if let inputs = theirs.inputs { #expect(ours.inputs == inputs) }
        if let outputs = theirs.outputs { #expect(ours.outputs == outputs) }
        #expect(ours.tensorCount ?? 0 == theirs.tensorCount)
        if let count = theirs.parameterCount { #expect(ours.parameterCount ?? 0 == Int64(count)) }
    }

    @Test func `an ONNX model says what the package onnx reads`() async throws {
        let url = folder.url.appending(path: "made.onnx")
        let theirs: MetadataOracle.Stated = try await MetadataOracle.run("onnx", url)
        let ours = try registry.metadata(of: url)
        compare(ours, theirs)
        #expect(ours.format == .onnx)
        #expect(ours.name == theirs.name)
        #expect(ours.description == theirs.description)
        #expect(ours.version == theirs.version)
        #expect(ours.author == theirs.properties?["model_author"])
        #expect(ours.license == "MIT")
        #expect(ours.extra["irVersion"] == theirs.irVersion.map(JSONValue.integer))
        #expect(ours.extra["producer"] == theirs.producer.map(JSONValue.string))
        #expect(ours.extra["opset"] == theirs.opset.map { .object($0.mapValues(JSONValue.integer)) })
        #expect(ours.extra["properties"] == theirs.properties.map { .object($0.mapValues(JSONValue.string)) })
        // The oracle writes the one and not the other, which a node of the graph and of a function names.
        #expect(ours.missingPieces == ["more.data"])
        // 4x8 and 8x16 floats, 2 of the sparse and twice 2 of the branch; 3 and 5 integers, half a number.
        let bytes: Int64 = 4 * (32 + 128 + 2 + 4) + 24 + 3 + 2
        #expect(ours.memoryEstimate == bytes)
        #expect(ours.quantization == "float32")
        try FileManager.default.removeItem(at: folder.url.appending(path: "made.onnx.data"))
        #expect(try registry.metadata(of: url).missingPieces == ["made.onnx.data", "more.data"])
    }

    @Test func `a graph that Breeze writes says what the package onnx reads`() async throws {
        let url = folder.url.appending(path: "graph.onnx")
        let graph = try encoderGraph(.onnx)
        try graph.write(to: url)
        let theirs: MetadataOracle.Stated = try await MetadataOracle.run("onnx", url, make: false)
        let ours = try registry.metadata(of: url)
        compare(ours, theirs)
        #expect(ours.missingPieces.isEmpty)
        #expect(ours.size == Int64(graph.size))
    }

    @Test func `a TensorFlow Lite model says what LiteRT's schema reads`() async throws {
        let url = folder.url.appending(path: "made.tflite")
        let theirs: MetadataOracle.Stated = try await MetadataOracle.run("tflite", url)
        let ours = try registry.metadata(of: url)
        compare(ours, theirs)
        #expect(ours.extra["signatures"] == theirs.signatures.map { .array($0.map(JSONValue.string)) })
        // What was written into the metadata, by the oracle's source.
        #expect(ours.name == "Oracle")
        #expect(ours.description == "What it does, naïvely")
        #expect(ours.version == "v3")
        #expect(ours.author == "Somebody")
        #expect(ours.license == "Apache-2.0")
        #expect(ours.extra["associatedFiles"] == ["labels.txt"])
        #expect(ours.extra["metadata"] == ["min_runtime_version"])
        #expect(ours.memoryEstimate == 48)
    }

    @Test(arguments: [EncoderGraph.Format.liteRT, .liteRTInt8])
    func `a graph that Breeze writes says what LiteRT's schema reads`(
        format: EncoderGraph.Format
    ) async throws {
        let url = folder.url.appending(path: "graph.tflite")
        try encoderGraph(format).write(to: url)
        let theirs: MetadataOracle.Stated = try await MetadataOracle.run("tflite", url, make: false)
        let ours = try registry.metadata(of: url)
        compare(ours, theirs)
        #expect(ours.description == theirs.description)
        #expect(ours.quantization == (format == .liteRTInt8 ? "int8" : "float32"))
    }

    private func encoderGraph(_ format: EncoderGraph.Format) throws -> EncoderGraph {
        let directory = try TinyEncoder().write(to: folder)
        return try EncoderGraph(
            format,
            configuration: try EncoderConfiguration(directory: directory),
            weights: try SafetensorsFile(url: directory.appending(path: "model.safetensors")),
            takesPairs: false
        )
    }

    @Test func `an ExecuTorch program says what was put into it`() async throws {
        let url = folder.url.appending(path: "made.pte")
        let theirs: MetadataOracle.Stated = try await MetadataOracle.run("executorch", url)
        let ours = try registry.metadata(of: url)
        compare(ours, theirs)
        #expect(ours.contextLength == 4096)
        #expect(ours.extra["get_max_seq_len"] == 2048)
        #expect(ours.extra["use_kv_cache"] == true)
        #expect(ours.extra["get_eos_ids"] == [2, 32000])
        #expect(ours.extra["get_scale"] == 0.125)
        #expect(ours.extra["get_name"] == "naïve")
        #expect(ours.extra["backends"] == ["XnnpackBackend"])
        #expect(ours.extra["schemaVersion"] == 7)
        #expect(ours.extra["externalTensors"] == ["layer.weight"])
        #expect(ours.missingPieces == ["a .ptd file with 1 tensors"])
        #expect(ours.memoryEstimate == ours.size + 4096 + 512)
    }

    @Test func `Core ML models say what coremltools' schema reads`() async throws {
        let theirs: [String: MetadataOracle.Stated] = try await MetadataOracle.run("coreml", folder.url)
        let names = ["net": "net.mlmodel", "program": "program.mlpackage", "functions": "functions.mlmodel"]
        for (key, name) in names {
            let ours = try registry.metadata(of: folder.url.appending(path: name))
            let stated = try #require(theirs[key])
            compare(ours, stated)
            #expect(ours.format == .coreML)
            #expect(ours.modelType == stated.modelType)
            #expect(ours.description == stated.description)
            #expect(ours.version == stated.version)
            #expect(ours.author == stated.author)
            #expect(ours.license == "MIT")
            let number = stated.specificationVersion.map(JSONValue.integer)
            #expect(ours.extra["specificationVersion"] == number)
            #expect(
                ours.extra["userDefined"] == stated.properties.map { .object($0.mapValues(JSONValue.string)) }
            )
            #expect(ours.missingPieces.isEmpty)
        }
        let functions = try registry.metadata(of: folder.url.appending(path: "functions.mlmodel"))
        #expect(functions.extra["functions"] == ["prefill", "decode"])
        #expect(functions.extra["states"] == ["cache"])
        let program = folder.url.appending(path: "program.mlpackage")
        let weights = program.appending(path: "Data/com.apple.CoreML/weights")
        try FileManager.default.removeItem(at: weights.appending(path: "weight.bin"))
        #expect(try registry.metadata(of: program).missingPieces == ["weights/weight.bin"])
        try FileManager.default.removeItem(at: weights)
        #expect(try registry.metadata(of: program).missingPieces == ["weights/weight.bin"])
    }

    @Test func `safetensors say what the package safetensors reads`() async throws {
        let theirs: [String: MetadataOracle.Stated] = try await MetadataOracle.run("safetensors", folder.url)
        for name in ["whole", "sharded"] {
            let ours = try registry.metadata(of: folder.url.appending(path: name))
            let stated = try #require(theirs[name])
            compare(ours, stated)
            #expect(ours.format == .safetensors)
            for (key, value) in stated.properties ?? [:] { #expect(ours.extra[key] == .string(value)) }
        }
        let whole = try registry.metadata(of: folder.url.appending(path: "whole"))
        #expect(whole.architecture == "bert")
        #expect(whole.modelType == "BertForSequenceClassification")
        #expect(whole.capabilities == [.classification])
        #expect(whole.contextLength == 512)
        #expect(whole.quantization == "F32")
        // 32 floats, 6 halves, 5 integers of 64 bits, a scalar: 128 + 12 + 40 + 4.
        #expect(whole.memoryEstimate == 184)

        let sharded = folder.url.appending(path: "sharded")
        // A model that continues texts, and nobody said how a conversation is written: no capability.
        #expect(try registry.metadata(of: sharded).capabilities.isEmpty)
        let list = sharded.appending(path: "model.safetensors.index.json")
        #expect(try registry.metadata(of: list).tensorCount == 3)
        let second = "model-00002-of-00002.safetensors"
        try FileManager.default.removeItem(at: sharded.appending(path: second))
        for url in [sharded, list, sharded.appending(path: "model-00001-of-00002.safetensors")] {
            let left = try registry.metadata(of: url)
            #expect(left.missingPieces == [second])
            #expect(left.tensorCount == nil && left.parameterCount == nil && left.memoryEstimate == nil)
        }
    }

    @Test func `an MLX folder counts its weights as if they were not packed`() async throws {
        let theirs: [String: MetadataOracle.Stated] = try await MetadataOracle.run("safetensors", folder.url)
        let ours = try registry.metadata(of: folder.url.appending(path: "mlx"))
        #expect(ours.format == .mlx)
        #expect(ours.tensorCount == theirs["mlx"]?.tensorCount)
        #expect(ours.quantization == "4-bit")
        #expect(ours.architecture == "qwen3")
        #expect(ours.contextLength == 40_960)
        // 6 rows of 64, a bias of 6, a norm of 64: 384 + 6 + 64.
        #expect(ours.parameterCount == 454)
        let bytes: Int64 = 6 * 8 * 4 + 2 * (12 + 12 + 6 + 64)
        #expect(ours.memoryEstimate == bytes)
    }

    @Test func `a GGUF model in pieces is read from any of them`() async throws {
        let theirs: MetadataOracle.Stated = try await MetadataOracle.run("gguf", folder.url)
        let names = (1...3).map { "model-0000\($0)-of-00003.gguf" }
        for url in names.map({ folder.url.appending(path: $0) }) + [folder.url] {
            let ours = try registry.metadata(of: url)
            compare(ours, theirs)
            #expect(ours.name == "In pieces")
            #expect(ours.author == "Somebody")
            #expect(ours.description == "A model of a test, naïvely")
            #expect(ours.version == "1.5")
            #expect(ours.license == "MIT")
            #expect(ours.contextLength == 2048)
            #expect(ours.missingPieces.isEmpty)
        }
        try FileManager.default.removeItem(at: folder.url.appending(path: names[0]))
        let left = try registry.metadata(of: folder.url.appending(path: names[2]))
        #expect(left.missingPieces == [names[0]])
        #expect(left.tensorCount == theirs.tensorCount)
        #expect(left.parameterCount == nil && left.name == nil)
    }

    @Test func `a Whisper model says what was put into it`() async throws {
        let url = folder.url.appending(path: "made.bin")
        let theirs: MetadataOracle.Stated = try await MetadataOracle.run("whisper", url)
        let ours = try registry.metadata(of: url)
        compare(ours, theirs)
        #expect(ours.format == .whisperGGML)
        #expect(ours.name == "Whisper tiny")
        #expect(ours.quantization == "F16")
        #expect(ours.contextLength == 448)
        #expect(ours.capabilities == [.asr])
        #expect(ours.modelInfo(id: "whisper").capabilities == [.asr])
    }
}
