import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct MetadataFolderTests {
    private let folder: ScratchFolder
    private let registry = MetadataRegistry()

    init() throws { folder = try ScratchFolder() }

    @Test func `a compiled Core ML model is described by its metadata file`() throws {
        try MetadataSamples.writeCompiled(to: folder)
        let url = folder.url.appending(path: "model.mlmodelc")
        #expect(try FormatDetector.detect(url).layout == .compiled)
        let found = try registry.metadata(of: url)
        #expect(
            found.inputs == [
                TensorDescription(
                    name: "mel",
                    shape: [.fixed(1), .fixed(80), .fixed(3000)],
                    elementType: "float16"
                ),
                TensorDescription(
                    name: "tokens",
                    shape: [.fixed(1), .range(from: 1, to: 128)],
                    elementType: "int32"
                ),
                TensorDescription(name: "image", shape: [.fixed(224), .fixed(160)], elementType: "image"),
            ]
        )
        #expect(found.outputs == [TensorDescription(name: "logits", elementType: "float32")])
        #expect(found.modelType == "mlProgram")
        #expect(found.author == "Somebody")
        #expect(found.license == "MIT")
        #expect(found.quantization == "Float16")
        let file = url.appending(path: "metadata.json")
        let size = try Data(contentsOf: file).count
        #expect(found.size == Int64(size + 500))
    }

    @Test func `a compiled model without its metadata file is told, and not described`() throws {
        try MetadataSamples.writeCompiled(to: folder)
        let url = folder.url.appending(path: "model.mlmodelc")
        try FileManager.default.removeItem(at: url.appending(path: "metadata.json"))
        let found = try registry.metadata(of: url)
        #expect(found.format == .coreML)
        #expect(found.size == 500)
        #expect(found.inputs.isEmpty && found.modelType == nil && found.memoryEstimate == nil)
    }

    @Test func `an MLC folder is described, with its missing shards by name`() throws {
        try MetadataSamples.writeMLC(to: folder)
        let url = folder.url.appending(path: "mlc")
        let found = try registry.metadata(of: url)
        #expect(found.format == .mlc)
        #expect(found.architecture == "qwen2")
        #expect(found.quantization == "q4f16_1")
        #expect(found.contextLength == 32_768)
        #expect(found.hasChatTemplate == true)
        #expect(found.tensorCount == 3)
        #expect(found.memoryEstimate == 144)
        // 144 bytes of 8 bits, 4.5 a parameter.
        #expect(found.parameterCount == 256)
        #expect(found.extra["conv_template"] == "chatml")
        #expect(found.missingPieces.isEmpty)
        try FileManager.default.removeItem(at: url.appending(path: "params_shard_0.bin"))
        // A download that ended early.
        try folder.write("mlc/params_shard_1.bin", Array(repeating: 0, count: 47))
        try FileManager.default.removeItem(at: url.appending(path: "tokenizer.json"))
        let left = try registry.metadata(of: url).missingPieces
        #expect(left == ["tokenizer.json", "params_shard_0.bin", "params_shard_1.bin"])
    }

    @Test(arguments: ["../secret", "/etc/passwd", "a/../../b", "a\\\\b", ""])
    func `a path out of the folder is refused`(path: String) throws {
        try MetadataSamples.writeMLC(to: folder)
        let list = "{\"records\":[{\"dataPath\":\"\(path)\",\"nbytes\":1}]}"
        try folder.write("mlc/ndarray-cache.json", list)
        let manifest = """
            {"itemInfoEntries":{"A":{"path":"\(path)"}},"rootModelIdentifier":"A"}
            """
        try folder.write("p.mlpackage/Manifest.json", manifest)
        try folder.write("s/model.safetensors.index.json", "{\"weight_map\":{\"a\":\"\(path)\"}}")
        for name in ["mlc", "p.mlpackage", "s"] {
            let error = #expect(throws: BreezeError.self) {
                try registry.metadata(of: folder.url.appending(path: name))
            }
            #expect(error?.code == .invalidFile, "\(name)")
        }
    }

    /// The publisher's own figures: 22,713,216 parameters (its model card), and 512 position ids.
    @Test(.enabled(if: Oracle.miniLM != nil, "make setup fetches the encoder all-MiniLM-L6-v2"))
    func `the encoder is described as its publisher describes it`() throws {
        let url = try #require(Oracle.miniLM)
        let found = try registry.metadata(of: url)
        #expect(found.format == .safetensors)
        #expect(found.architecture == "bert")
        #expect(found.modelType == "BertModel")
        #expect(found.contextLength == 512)
        #expect(found.capabilities == [.embedding])
        #expect(found.license == "Apache-2.0")
        #expect(found.parameterCount == 22_713_728)
        let info = found.modelInfo(id: "all-minilm-l6-v2", source: "here", digest: "00")
        #expect(info.capabilities == [.embedding])
        #expect(info.size > 90_000_000)
        #expect(info.frameworks.isEmpty)
        #expect(info.digest == "00")
    }

    @Test func `a list of shards of another edition is refused by the tensor`() throws {
        var builder = SafetensorsBuilder()
        builder.add("a", [1], [1])
        try folder.write("m/one.safetensors", builder.bytes)
        let list = "{\"weight_map\":{\"a\":\"one.safetensors\",\"b\":\"one.safetensors\"}}"
        try folder.write("m/model.safetensors.index.json", list)
        let error = #expect(throws: BreezeError.self) {
            try registry.metadata(of: folder.url.appending(path: "m"))
        }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains("\"b\"") == true, "\(error?.message ?? "")")
    }
}
