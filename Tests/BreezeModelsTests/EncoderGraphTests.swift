import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

/// The graphs we write, run by ONNX Runtime, against a forward pass in numpy that shares no code with us.
@Suite(.enabled(if: Oracle.python != nil, "needs the Python of `make setup` (or BREEZE_PYTHON)"))
struct EncoderGraphOracleTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private static let variants: [TinyBERT] = [
        TinyBERT(), TinyBERT(seed: 2, activation: "gelu_new"), TinyBERT(seed: 3, activation: "relu"),
        TinyBERT(seed: 4, pooling: "cls_token"), TinyBERT(seed: 5, normalizes: false),
        TinyBERT(seed: 6, pooling: "cls_token", normalizes: false), TinyBERT(seed: 7, pooling: nil),
        TinyBERT(seed: 8, prefix: "bert."), TinyBERT(seed: 9, width: 12, layers: 1, heads: 1),
        TinyBERT(seed: 10, width: 24, layers: 3, heads: 12, intermediate: 7, spread: 1),
        TinyBERT(seed: 11, overrides: ["layer_norm_eps": "0.01"]),
    ]

    @Test(arguments: variants)
    func `a random encoder's graph computes what numpy computes`(model: TinyBERT) throws {
        let directory = try model.write(to: folder)
        let texts = [
            [2, 5, 7, 3], [2, 3], [2, 6, 8, 10, 9, 11, 5, 5, 7, 1, 3], Array(repeating: 4, count: 32),
        ]
        try compare(directory, texts: texts)
    }

    @Test(.enabled(if: Oracle.miniLM != nil, "needs all-MiniLM-L6-v2 from `make setup`"))
    func `MiniLM's graph computes what numpy computes`() throws {
        let directory = try #require(Oracle.miniLM)
        var generator = SeededGenerator(seed: 12)
        let texts = [1, 5, 17, 64, 254].map { count in
            [101] + (0..<count).map { _ in Int.random(in: 999..<30_522, using: &generator) } + [102]
        }
        try compare(directory, texts: texts)
    }

    private func compare(_ directory: URL, texts: [[Int]]) throws {
        let url = folder.url.appending(path: "graph.onnx")
        let graph = try EncoderGraph(
            configuration: try EncoderConfiguration(directory: directory),
            weights: try SafetensorsFile(url: directory.appending(path: "model.safetensors"))
        )
        try graph.write(to: url)
        #expect(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize == graph.size)
        let expected: [[Double]] = try Oracle.run("bert_reference.py", directory, input: texts, in: folder)
        let actual: [[Double]] = try Oracle.run("onnx_run.py", url, input: texts, in: folder)
        #expect(actual.count == texts.count)
        for (left, right) in zip(expected, actual) {
            #expect(left.count == graph.configuration.width && right.count == left.count)
            let dot = zip(left, right).map(*).reduce(0, +)
            let norms = [left, right].map { $0.map { $0 * $0 }.reduce(0, +).squareRoot() }
            #expect(dot / (norms[0] * norms[1]) >= 0.99999)
            #expect(zip(left, right).map { abs($0 - $1) }.max() ?? 1 <= 1e-4)
        }
        // Vectors that are all alike would pass the comparison of a broken mask as well.
        #expect(Set(actual.map { Float($0[0]) }).count == texts.count)
    }
}

struct EncoderGraphTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func graph(_ model: TinyBERT) throws -> EncoderGraph {
        let directory = try model.write(to: folder)
        return try EncoderGraph(
            configuration: try EncoderConfiguration(directory: directory),
            weights: try SafetensorsFile(url: directory.appending(path: "model.safetensors"))
        )
    }

    private func refusal(_ model: TinyBERT) throws -> BreezeError? {
        #expect(throws: BreezeError.self) { try graph(model) }
    }

    @Test func `a missing tensor is named`() throws {
        let name = "encoder.layer.1.attention.self.key.bias"
        let error = try refusal(TinyBERT(edit: { $0 == name ? nil : $1 }))
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(name) == true)
    }

    @Test func `a tensor of the wrong shape is named with both shapes`() throws {
        let error = try refusal(TinyBERT(edit: { $0.hasSuffix("0.output.dense.weight") ? [24, 16] : $1 }))
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains("[24, 16]") == true)
        #expect(error?.message.contains("[16, 24]") == true)
    }

    @Test(arguments: [
        ["num_hidden_layers": "1"], ["num_hidden_layers": "3"], ["vocab_size": "13"], ["hidden_size": "32"],
        ["intermediate_size": "25"], ["max_position_embeddings": "64"], ["type_vocab_size": "1"],
    ])
    func `a configuration that does not fit the weights is refused`(overrides: [String: String]) throws {
        #expect(try refusal(TinyBERT(pooling: nil, overrides: overrides))?.code == .invalidFile)
    }

    @Test func `a value that is not a number is refused and leaves no file`() throws {
        let directory = try TinyBERT().write(to: folder)
        let weights = directory.appending(path: "model.safetensors")
        var bytes = [UInt8](try Data(contentsOf: weights))
        bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: [0, 0, 0xC0, 0x7F])
        try Data(bytes).write(to: weights)
        let graph = try EncoderGraph(
            configuration: try EncoderConfiguration(directory: directory),
            weights: try SafetensorsFile(url: weights)
        )
        let url = folder.url.appending(path: "graph.onnx")
        let error = #expect(throws: BreezeError.self) { try graph.write(to: url) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains("encoder.layer.1.output.LayerNorm.bias") == true)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test func `a graph is never written over a file that is there`() throws {
        let url = try folder.write("graph.onnx", "precious")
        let error = #expect(throws: BreezeError.self) { try graph(TinyBERT()).write(to: url) }
        #expect(error?.code == .inputOutput)
        #expect(try String(contentsOf: url, encoding: .utf8) == "precious")
    }

    @Test func `parameters are counted`() throws {
        // Counted by hand for width 16, 12 words, 32 positions, 2 types, intermediate 24, 2 layers.
        let embeddings = (12 + 32 + 2) * 16 + 2 * 16
        let layer = 4 * (16 * 16 + 16) + (16 * 24 + 24) + (24 * 16 + 16) + 4 * 16
        #expect(try graph(TinyBERT()).parameterCount == embeddings + 2 * layer)
    }

    @Test func `a model over the memory limit is refused`() throws {
        let graph = try graph(TinyBERT())
        try graph.checkMemory(limit: graph.estimatedMemory)
        let error = #expect(throws: BreezeError.self) {
            try graph.checkMemory(limit: graph.estimatedMemory - 1)
        }
        #expect(error?.code == .insufficientMemory)
    }
}
