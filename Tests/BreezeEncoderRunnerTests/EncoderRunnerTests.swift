import BreezeCore
import BreezeLiteRT
import BreezeTestSupport
import Foundation
import Testing

@Suite(.needsRuntime) struct EncoderRunnerTests {
    private func embed(_ runner: any Runner, _ texts: [String]) async throws -> (InferenceResult, [[Float]]) {
        let result = try await runner.run(request: InferenceRequest(.embedding, inputs: texts))
        guard case .embeddings(let vectors) = result.output else { return (result, []) }
        return (result, vectors)
    }

    @Test func `each text becomes a unit vector, whoever stands beside it`() async throws {
        let runner = try await InstalledEncoder.tiny().runner()
        try await runner.load()
        let (result, vectors) = try await embed(runner, ["the mail", "a sunny sun", "the mail"])
        #expect(vectors.map(\.count) == [16, 16, 16])
        #expect(vectors[0] == vectors[2])
        #expect(vectors[0] != vectors[1])
        for vector in vectors { #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5) }
        #expect(try await embed(runner, ["the mail"]).1 == [vectors[0]])
        // [CLS] the mail [SEP], [CLS] a sun ##ny sun [SEP], and the first again.
        #expect(result.usage.inputTokens == 4 + 6 + 4)
        #expect(result.runner == "encoder:tiny-bert")
        #expect(result.model == "tiny-bert")
        #expect(!result.isMock)
    }

    @Test func `what is beyond the model's limit is reported`() async throws {
        let runner = try await InstalledEncoder.tiny().runner()
        try await runner.load()
        // The model reads 16 tokens, two of which frame the text.
        let long = Array(repeating: "sun", count: 20).joined(separator: " ")
        let (result, _) = try await embed(runner, ["the mail", long])
        #expect(result.usage.truncatedTokens == 6)
        #expect(result.usage.inputTokens == 4 + 16)
        #expect(
            result.notices == ["Text 2 was longer than the model's 16 tokens: 6 tokens were left out."]
        )
        var strict = InferenceRequest(.embedding, inputs: [long])
        strict.configuration[parameter: "truncate"] = false
        let error = await #expect(throws: BreezeError.self) { try await runner.run(request: strict) }
        #expect(error?.code == .contextSizeExceeded)
        #expect(error?.message == "Text 1 has 22 tokens and the model reads 16.")
    }

    @Test func `texts are sorted into the categories that their examples describe`() async throws {
        let runner = try await InstalledEncoder.tiny().runner()
        try await runner.load()
        let request = InferenceRequest(
            .classification,
            inputs: ["the mail", "sunny sun"],
            categories: [
                ClassificationCategory(name: "post", examples: ["the mail", "a mail"]),
                ClassificationCategory(name: "weather", examples: ["sunny sun", "sun"]),
            ]
        )
        let result = try await runner.run(request: request)
        guard case .classifications(let found) = result.output else {
            Issue.record("\(result.output)")
            return
        }
        #expect(found.map(\.label) == ["post", "weather"])
        for classification in found {
            #expect(abs(classification.scores.reduce(0) { $0 + $1.score } - 1) < 1e-5)
        }
    }

    @Test func `examples that are cut are reported too, each time`() async throws {
        let runner = try await InstalledEncoder.tiny().runner()
        try await runner.load()
        let long = Array(repeating: "sun", count: 20).joined(separator: " ")
        var request = InferenceRequest(
            .classification,
            prompt: "the mail",
            categories: [
                ClassificationCategory(name: "post", examples: ["the mail"]),
                ClassificationCategory(name: "weather", examples: [long]),
            ]
        )
        for _ in 0..<2 {
            let result = try await runner.run(request: request)
            #expect(result.usage.truncatedTokens == 6)
            #expect(result.notices.first?.hasPrefix("Example 2 was longer") == true)
        }
        request.configuration[parameter: "truncate"] = false
        let error = await #expect(throws: BreezeError.self) { try await runner.run(request: request) }
        #expect(error?.message == "Example 2 has 22 tokens and the model reads 16.")
    }

    @Test func `a classification without categories is an error that says what to add`() async throws {
        let runner = try await InstalledEncoder.tiny().runner()
        try await runner.load()
        let error = await #expect(throws: BreezeError.self) {
            try await runner.run(request: InferenceRequest(.classification, prompt: "the mail"))
        }
        #expect(error?.code == .unsupported)
        #expect(error?.remedy?.contains("--examples") == true)
    }

    @Test func `a runner that is not loaded says so`() async throws {
        let runner = try await InstalledEncoder.tiny().runner()
        let error = await #expect(throws: BreezeError.self) { try await embed(runner, ["the mail"]) }
        #expect(error?.code == .loadFailed)
    }

    @Test func `without any runtime it is unavailable, with the command that mends it`() async throws {
        let runner = try await InstalledEncoder.tiny().runner(
            liteRT: InstalledEncoder.noLiteRT,
            onnxRuntime: InstalledEncoder.noOnnxRuntime
        )
        guard case .unavailable(let reason, let remedy) = await runner.availability() else {
            Issue.record("it claims to be available")
            return
        }
        #expect(reason.contains("/nowhere.so"))
        #expect(remedy?.contains("make setup") == true)
        let error = await #expect(throws: BreezeError.self) { try await runner.load() }
        #expect(error?.code == .unavailable)
        #expect(error?.message.contains("/nowhere.so") == true)
        #expect(error?.message.contains("/nowhere/libLiteRt.so") == true)
    }

    @Test func `several requests at once get their own answers`() async throws {
        let runner = try await InstalledEncoder.tiny().runner()
        try await runner.load()
        let words = ["the", "a", "mail", "sun", "sunny"]
        let alone = try await embed(runner, words).1
        try await withThrowingTaskGroup(of: Void.self) { group in
            for shift in 0..<20 {
                group.addTask {
                    let texts = (0..<50).map { words[($0 + shift) % words.count] }
                    let vectors = try await embed(runner, texts).1
                    #expect(vectors == (0..<50).map { alone[($0 + shift) % words.count] })
                }
            }
            try await group.waitForAll()
        }
    }

    /// int8 is held to what its users see: the direction of a vector.
    @Test(
        .needsMiniLM,
        arguments: [(InstalledEncoder.liteRT, 0.997), (InstalledEncoder.noLiteRT, 0.99999)]
    )
    func `MiniLM's vectors equal the reference's, from the text on`(
        liteRT: @escaping @Sendable () throws -> LiteRTLibrary,
        leastCosine: Double
    ) async throws {
        let folder = try ScratchFolder()
        let directory = try #require(Oracle.miniLM)
        let runner = try await InstalledEncoder(from: directory, in: folder).runner(liteRT: liteRT)
        try await runner.load()
        let texts = [
            "A man is playing a guitar.", "Überweisung für März: 1.234,56 €", "日本語のメール", "🙂 naïve café",
            String(repeating: "The invoice that you asked for is attached. ", count: 40),
        ]
        let (result, vectors) = try await embed(runner, texts)
        #expect(result.usage.truncatedTokens != nil)
        let ids: [[Int32]] = try await Oracle.run(
            "wordpiece_oracle.py",
            directory.appending(path: "tokenizer.json"),
            input: texts
        )
        // The reference cuts nothing: the same cut, before the closing token.
        let cut = ids.map { $0.count > 256 ? Array($0.prefix(255)) + [$0[$0.count - 1]] : $0 }
        let expected: [[Double]] = try await Oracle.run("bert_reference.py", directory, input: cut)
        for (ours, theirs) in zip(vectors, expected) {
            #expect(cosine(ours.map(Double.init), theirs) >= leastCosine)
        }
        #expect(vectors.count == expected.count)
    }

    private func cosine(_ a: [Double], _ b: [Double]) -> Double {
        func dot(_ x: [Double], _ y: [Double]) -> Double { zip(x, y).reduce(0) { $0 + $1.0 * $1.1 } }
        return dot(a, b) / (dot(a, a) * dot(b, b)).squareRoot()
    }
}
