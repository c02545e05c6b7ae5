import BreezeLiteRT
import BreezeModels
import BreezeTestSupport
import Foundation
import Testing

/// The graphs we write, run by LiteRT, against a forward pass in numpy that shares no code with us.
@Suite(.needsRuntime, .needsOracle)
struct LiteRTGraphOracleTests {
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

    /// Lengths go up, down, to the shortest and to the longest, and come back.
    private static let texts = [
        [2, 5, 7, 3], [2, 6, 8, 10, 9, 11, 5, 5, 7, 1, 3], [2, 3], Array(repeating: 4, count: 32), [2],
        [2, 9, 7, 3],
    ]

    @Test(arguments: variants)
    func `a random encoder's graph computes what numpy computes`(model: TinyBERT) throws {
        let directory = try model.write(to: folder)
        let expected: [[Double]] = try Oracle.run(
            "bert_reference.py",
            directory,
            input: Self.texts,
            in: folder
        )
        let run = try GraphRun(directory, .liteRT, in: folder)
        let actual = try Self.texts.map { try run.embed($0) }
        for (left, right) in zip(actual, expected) { #expect(Distance.largest(left, right) <= 1e-4) }
        #expect(Set(actual.map { Float($0[0]) }).count == Self.texts.count)
    }

    /// Errors as lengths of the difference in lengths of the vector. With weights up to 0.5 they were seen to be
    /// 0.028 at most and 0.016 in a model's mean, 0.01 in most; they grow with the weights, which make attention
    /// steep.
    @Test(arguments: variants)
    func `a random encoder's int8 graph stays within its bound`(model: TinyBERT) throws {
        let directory = try model.write(to: folder)
        let expected: [[Double]] = try Oracle.run(
            "bert_reference.py",
            directory,
            input: Self.texts,
            in: folder
        )
        let run = try GraphRun(directory, .liteRTInt8, in: folder)
        let errors = try zip(Self.texts, expected).map { Distance.relative(try run.embed($0), $1) }
        #expect(errors.allSatisfy { $0 <= 0.1 * Double(model.spread) })
        #expect(errors.reduce(0, +) / Double(errors.count) <= 0.05 * Double(model.spread))
    }

    @Test(arguments: [EncoderGraph.Format.liteRT, .liteRTInt8])
    func `token types of a pair reach the graph that takes them`(format: EncoderGraph.Format) throws {
        let directory = try TinyBERT(seed: 12).write(to: folder)
        let ids = [2, 5, 7, 3, 8, 9, 3]
        let texts = [
            GraphRun.Text(ids: ids, types: [0, 0, 0, 0, 1, 1, 1]),
            GraphRun.Text(ids: ids, types: [0, 0, 0, 0, 0, 0, 0]),
        ]
        let expected: [[Double]] = try Oracle.run("bert_reference.py", directory, input: texts, in: folder)
        let bound = format == .liteRT ? 1e-4 : 0.05
        let run = try GraphRun(directory, format, in: folder, takesPairs: true)
        for (text, right) in zip(texts, expected) {
            #expect(Distance.relative(try run.embed(text.ids, types: text.types), right) <= bound)
        }
        // Far enough apart for a graph that ignored the types to miss the bound.
        #expect(Distance.relative(expected[0], expected[1]) > 0.1)
        let alone = try GraphRun(directory, format, in: folder)
        #expect(alone.model.inputs.map(\.name) == ["input_ids", "positions"])
        #expect(Distance.relative(try alone.embed(ids), expected[1]) <= bound)
    }

    @Test func `a row of zeros stays zeros in int8`() throws {
        // No spread: every weight is zero but the norms' gains, and so is every vector.
        let directory = try TinyBERT(seed: 13, normalizes: false, spread: 0).write(to: folder)
        let run = try GraphRun(directory, .liteRTInt8, in: folder)
        #expect(try run.embed([2, 5, 3]) == Array(repeating: 0, count: 16))
    }

    @Test(.needsMiniLM) func `MiniLM's graphs compute what numpy computes`() throws {
        let directory = try #require(Oracle.miniLM)
        var generator = SeededGenerator(seed: 12)
        let texts = [1, 64, 5, 254, 17].map { count in
            [101] + (0..<count).map { _ in Int.random(in: 999..<30_522, using: &generator) } + [102]
        }
        let expected: [[Double]] = try Oracle.run("bert_reference.py", directory, input: texts, in: folder)
        let exact = try GraphRun(directory, .liteRT, in: folder)
        let int8 = try GraphRun(directory, .liteRTInt8, in: folder)
        for (text, right) in zip(texts, expected) {
            let left = try exact.embed(text)
            #expect(Distance.cosine(left, right) >= 0.99999)
            #expect(Distance.largest(left, right) <= 1e-4)
            #expect(Distance.cosine(try int8.embed(text), right) >= 0.995)
        }
    }
}
