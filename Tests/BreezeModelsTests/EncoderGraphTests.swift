import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

/// The graphs we write, run by ONNX Runtime, and our own arithmetic, both against a forward pass in numpy
/// that shares no code with us.
@Suite(.enabled(if: Oracle.python != nil, "needs the Python of `make setup` (or BREEZE_PYTHON)"))
struct EncoderOracleTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// A text as the reference programs read it.
    struct Text: Encodable {
        var ids: [Int]
        var types: [Int]

        init(_ ids: [Int], second: Int = 0) {
            self.ids = ids
            types = ids.indices.map { $0 < ids.count - second ? 0 : 1 }
        }
    }

    private static let others: [TinyEncoder] = [
        TinyEncoder(.distilbert, seed: 20), TinyEncoder(.distilbert, seed: 21, prefix: "distilbert."),
        TinyEncoder(.distilbert, seed: 22, activation: "relu", pooling: "cls_token", spread: 1),
        TinyEncoder(.distilbert, seed: 23, labels: ["NEGATIVE", "POSITIVE"]),
        TinyEncoder(.distilbert, seed: 24, width: 20, heads: 5, activation: "gelu_new", pooling: nil),
        TinyEncoder(.mpnet, seed: 30, positions: 34), TinyEncoder(.mpnet, seed: 31, pooling: nil, spread: 1),
        TinyEncoder(.mpnet, seed: 32, positions: 40, pooling: "cls_token", prefix: "mpnet."),
        TinyEncoder(.mpnet, seed: 33, heads: 2, labels: ["a", "b", "c", "d"]),
        TinyEncoder(.mpnet, seed: 34, width: 8, layers: 1, heads: 2, positions: 302, spread: 2),
    ]

    /// A few lengths up to the model's greatest; the ids mean nothing.
    private static func texts(_ model: TinyEncoder) -> [Text] {
        let longest = model.architecture == .mpnet ? model.positions - 2 : model.positions
        let lists = [
            [2, 5, 7, 3], [2, 3], [2, 6, 8, 10, 9, 11, 5, 5, 7, 0, 3], Array(repeating: 4, count: longest),
            (0..<longest).map { [5, 9, 7, 10, 6][$0 * $0 % 5] },
        ]
        return lists.map { Text($0) }
            + (model.architecture == .bert ? [Text([2, 5, 3, 9, 7, 3], second: 3)] : [])
    }

    @Test(arguments: TinyEncoder.bertShapes + others)
    func `a random encoder gives what numpy computes, as a graph and in our own arithmetic`(
        model: TinyEncoder
    ) async throws {
        let directory = try model.write(to: folder)
        let texts = Self.texts(model)
        let expected = try await reference(directory, texts)
        compare(try await graphAnswers(directory, texts), expected, width: model.labels?.count ?? model.width)
        compare(try ownAnswers(directory, texts), expected, width: model.labels?.count ?? model.width)
    }

    @Test(.enabled(if: Oracle.miniLM != nil, "needs all-MiniLM-L6-v2 from `make setup`"))
    func `MiniLM gives what numpy computes, as a graph and in our own arithmetic`() async throws {
        let directory = try #require(Oracle.miniLM)
        var generator = SeededGenerator(seed: 12)
        let texts = [1, 5, 14, 64, 254].map { count in
            Text([101] + (0..<count).map { _ in Int.random(in: 999..<30_522, using: &generator) } + [102])
        }
        let expected = try await reference(directory, texts)
        compare(try await graphAnswers(directory, texts), expected, width: 384)
        // Slow without optimisation, and meant for short texts.
        compare(try ownAnswers(directory, Array(texts[..<3])), Array(expected[..<3]), width: 384)
    }

    private func reference(_ directory: URL, _ texts: [Text]) async throws -> [[Double]] {
        try await Oracle.run("bert_reference.py", directory, input: texts)
    }

    private func graphAnswers(_ directory: URL, _ texts: [Text]) async throws -> [[Double]] {
        let url = folder.url.appending(path: "graph.onnx")
        let graph = try EncoderGraph(
            configuration: try EncoderConfiguration(directory: directory),
            weights: try SafetensorsFile(url: directory.appending(path: "model.safetensors"))
        )
        try graph.write(to: url)
        #expect(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize == graph.size)
        return try await Oracle.run("onnx_run.py", url, input: texts)
    }

    private func ownAnswers(_ directory: URL, _ texts: [Text]) throws -> [[Double]] {
        let configuration = try EncoderConfiguration(directory: directory)
        let weights = try SafetensorsFile(url: directory.appending(path: "model.safetensors"))
        return try texts.map { text in
            try EncoderInterpreter.run(
                configuration: configuration,
                weights: weights,
                ids: text.ids.map(Int32.init),
                typeIDs: text.types.map(Int32.init)
            )
            .map(Double.init)
        }
    }

    private func compare(_ actual: [[Double]], _ expected: [[Double]], width: Int) {
        #expect(actual.count == expected.count)
        for (left, right) in zip(expected, actual) {
            #expect(left.count == width && right.count == width)
            let dot = zip(left, right).map(*).reduce(0, +)
            let norms = [left, right].map { $0.map { $0 * $0 }.reduce(0, +).squareRoot() }
            #expect(dot / (norms[0] * norms[1]) >= 0.99999)
            #expect(zip(left, right).map { abs($0 - $1) }.max() ?? 1 <= 1e-4)
        }
        // Vectors that are all alike would pass the comparison of a broken mask as well.
        #expect(Set(actual.map { Float($0[0]) }).count == expected.count)
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

    @Test(
        arguments: [
            ([], nil), ([2, 12, 3], nil), ([2, -1, 3], nil), ([2, 5, 3], [0, 2, 0]), ([2, 5, 3], [0, 0]),
            (Array(repeating: 5, count: 33), nil),
        ] as [([Int32], [Int32]?)]
    )
    func `tokens that the model does not have are no input`(ids: [Int32], types: [Int32]?) throws {
        let directory = try TinyEncoder().write(to: folder)
        let error = #expect(throws: BreezeError.self) {
            try EncoderInterpreter.run(
                configuration: try EncoderConfiguration(directory: directory),
                weights: try SafetensorsFile(url: directory.appending(path: "model.safetensors")),
                ids: ids,
                typeIDs: types
            )
        }
        #expect(error?.code == .invalidParameter)
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
