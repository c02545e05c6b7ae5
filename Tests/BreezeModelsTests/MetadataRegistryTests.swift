import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct MetadataRegistryTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// An app's own: a format of its own, told by its first byte, and another reading of ONNX.
    private struct Own: MetadataExtractor {
        static let format = ModelFormat.custom("own")
        var supportedFormats: [ModelFormat] = [format]
        var name = "own"

        func format(of url: URL) throws -> ModelFormat? {
            try FileReader(url: url).bytes(at: 0, count: 1) == [0xEE] ? Self.format : nil
        }

        func extractMetadata(from url: URL) throws -> ModelMetadata {
            var metadata = ModelMetadata(format: supportedFormats[0])
            metadata.name = name
            return metadata
        }
    }

    private static let onnx: [UInt8] = [0x08, 8, 0x3A, 0, 0x42, 2, 0x10, 17]

    @Test func `an app's extractor comes before Breeze's, the first before the second`() throws {
        let url = try folder.write("m", Self.onnx)
        let registry = MetadataRegistry()
        #expect(try registry.metadata(of: url).name == nil)
        registry.register(Own(supportedFormats: [.onnx], name: "first"))
        registry.register(Own(supportedFormats: [.onnx], name: "second"))
        #expect(try registry.metadata(of: url).name == "first")
        #expect(registry.extractor(for: .gguf) is GGUFMetadataExtractor)
    }

    @Test(arguments: ["m", "m.pllm"])
    func `an app's format is asked for what Breeze does not know`(name: String) throws {
        let url = try folder.write(name, [0xEE, 1, 2, 3, 4, 5, 6, 7, 8, 9])
        if name == "m" {
            #expect(throws: BreezeError.self) { try MetadataRegistry().metadata(of: url) }
        }
        let registry = MetadataRegistry([Own()])
        #expect(try registry.detect(url).format == Own.format)
        #expect(try registry.metadata(of: url).name == "own")
        // What the bytes tell is not up for another opinion.
        #expect(try registry.detect(folder.write("x", Self.onnx)).format == .onnx)
    }

    @Test func `every format of the product has an extractor`() {
        let formats: [ModelFormat] = [
            .gguf, .safetensors, .onnx, .tflite, .executorch, .coreML, .mlx, .mlc, .picoLLM, .whisperGGML,
        ]
        for format in formats { #expect(MetadataRegistry().extractor(for: format) != nil, "\(format)") }
        #expect(MetadataRegistry().extractor(for: .custom("none")) == nil)
    }

    @Test func `a GGUF model's description is that of the store`() throws {
        let url = try TinyQwen3().write(to: folder)
        let file = try GGUFFile(url: url)
        let facts = try GGUFModelFacts(file)
        let info = try MetadataRegistry().metadata(of: url).modelInfo(id: "tiny")
        #expect(info.format == .gguf)
        #expect(info.frameworks == [.llamaCpp])
        #expect(info.capabilities == facts.capabilities)
        #expect(info.architecture == "qwen3")
        #expect(info.parameterCount == facts.parameterCount)
        #expect(info.contextLength == facts.contextLength)
        #expect(info.quantization == facts.quantization)
        #expect(info.estimatedMemory == facts.memory(context: GGUFModelFacts.usualContext).total)
        #expect(info.size == Int64(file.size))
    }

    @Test func `metadata is the same after JSON`() throws {
        var metadata = ModelMetadata(format: .onnx, size: 7)
        metadata.inputs = [
            TensorDescription(
                name: "x",
                shape: [.fixed(2), .named("n"), .open, .range(from: 1, to: nil), .range(from: 2, to: 3)]
            ),
            TensorDescription(name: "y", shape: [], elementType: "bool"),
        ]
        metadata.extra["a"] = [1, "b", true]
        let text = try JSONEncoder().encode(metadata)
        #expect(try JSONDecoder().decode(ModelMetadata.self, from: text) == metadata)
        let shape = try JSONDecoder().decode(
            [TensorDimension].self,
            from: Data("[2,\"n\",null,{\"from\":1},{\"from\":2,\"to\":3}]".utf8)
        )
        #expect(shape == metadata.inputs[0].shape)
    }
}

/// The vocabularies in llama.cpp's own tree: real files of its converter, without tensors.
@Suite(.enabled(if: !LlamaVocabularies.files.isEmpty, "make setup unpacks llama.cpp's source"))
struct LlamaVocabularyMetadataTests {
    @Test(arguments: LlamaVocabularies.files)
    func `a bare vocabulary is described, and claims no capability`(url: URL) throws {
        let found = try MetadataRegistry().metadata(of: url)
        let file = try GGUFFile(url: url)
        #expect(found.format == .gguf)
        #expect(found.architecture == file.metadata["general.architecture"]?.stringValue)
        #expect(found.tokenizer == file.metadata["tokenizer.ggml.model"]?.stringValue)
        #expect(found.tokenizer != nil)
        #expect(found.tensorCount == 0)
        #expect(found.capabilities.isEmpty && found.memoryEstimate == nil)
        #expect(found.missingPieces.isEmpty)
    }
}

enum LlamaVocabularies {
    static let files: [URL] = {
        guard let python = Oracle.python else { return [] }
        let build = python.deletingLastPathComponent().appending(path: "../../build").standardizedFileURL
        let trees = (try? FileManager.default.contentsOfDirectory(atPath: build.path)) ?? []
        return trees.flatMap { tree in
            let models = build.appending(path: "\(tree)/source/models")
            let names = (try? FileManager.default.contentsOfDirectory(atPath: models.path)) ?? []
            return names.filter { $0.hasPrefix("ggml-vocab-") && $0.hasSuffix(".gguf") }.sorted()
                .map { models.appending(path: $0) }
        }
    }()
}
