import BreezeCore
import BreezeLiteRT
import BreezeTestSupport
import Foundation
import Testing

/// What models with a head and models with prompts answer, held against numpy from the text on.
@Suite(.needsRuntime, .enabled(if: Oracle.python != nil, "needs the Python of `make setup`"))
struct EncoderTaskTests {
    /// Places in `TinyEncoder.defaultWords`.
    private enum Word {
        static let cls = 2
        static let sep = 3
        static let the = 5
        static let mail = 7
        static let sun = 8
    }

    private struct Pair: Encodable {
        let ids: [Int]
        let types: [Int]
    }

    /// In fp32 and in int8, each with how far a score may be off.
    private static let runtimes = [(InstalledEncoder.noLiteRT, 1e-4), (InstalledEncoder.liteRT, 0.05)]

    private func installed(_ model: TinyEncoder, as name: String = "tiny") async throws -> (
        encoder: InstalledEncoder, directory: URL
    ) {
        let folder = try ScratchFolder()
        let directory = try model.write(to: folder, under: name)
        return (try await InstalledEncoder(from: directory, in: folder), directory)
    }

    private func reference(_ texts: some Encodable, _ directory: URL) async throws -> [[Double]] {
        try await Oracle.run("bert_reference.py", directory, input: texts)
    }

    @Test(arguments: runtimes, [TinyEncoder.Architecture.bert, .distilbert])
    func `a classifier answers with its own labels`(
        runtime: (liteRT: @Sendable () throws -> LiteRTLibrary, tolerance: Double),
        architecture: TinyEncoder.Architecture
    ) async throws {
        let labels = ["ham", "spam", "unsure"]
        let (encoder, directory) = try await installed(TinyEncoder(architecture, labels: labels))
        let runner = try encoder.runner(liteRT: runtime.liteRT)
        #expect(runner.supportedCapabilities == [.classification])
        try await runner.load()
        let request = InferenceRequest(.classification, inputs: ["the mail", "sun"])
        let result = try await runner.run(request: request)
        guard case .classifications(let found) = result.output else {
            Issue.record("\(result.output)")
            return
        }
        let texts = [[Word.cls, Word.the, Word.mail, Word.sep], [Word.cls, Word.sun, Word.sep]]
        let logits = try await reference(texts, directory)
        #expect(found.count == 2)
        for (classification, logits) in zip(found, logits) {
            let total = logits.reduce(0) { $0 + exp($1) }
            for (label, logit) in zip(labels, logits) {
                let score = try #require(classification.scores.first { $0.label == label }?.score)
                #expect(abs(score - exp(logit) / total) < runtime.tolerance)
            }
        }
    }

    @Test(arguments: runtimes)
    func `a cross-encoder ranks what it reads together with the query`(
        runtime: (liteRT: @Sendable () throws -> LiteRTLibrary, tolerance: Double)
    ) async throws {
        let (encoder, directory) = try await installed(TinyEncoder(seed: 5, labels: ["LABEL_0"]))
        let runner = try encoder.runner(liteRT: runtime.liteRT)
        #expect(runner.supportedCapabilities == [.rerank])
        try await runner.load()
        let documents = ["the mail", "sun", "mail"]
        let result = try await runner.run(
            request: InferenceRequest(.rerank, prompt: "sun", inputs: documents)
        )
        guard case .ranking(let ranking) = result.output else {
            Issue.record("\(result.output)")
            return
        }
        let ids = [[Word.the, Word.mail], [Word.sun], [Word.mail]]
        let pairs = ids.map { ids in
            Pair(
                ids: [Word.cls, Word.sun, Word.sep] + ids + [Word.sep],
                types: [0, 0, 0] + ids.map { _ in 1 } + [1]
            )
        }
        let expected = try await reference(pairs, directory).map { 1 / (1 + exp(-$0[0])) }
        #expect(ranking.map(\.score) == ranking.map(\.score).sorted(by: >))
        #expect(Set(ranking.map(\.index)) == [0, 1, 2])
        for document in ranking {
            #expect(abs(document.score - expected[document.index]) < runtime.tolerance)
        }
        // [CLS] sun [SEP], and each document with its [SEP].
        #expect(result.usage.inputTokens == 3 * 3 + 3 + 2 + 2)
    }

    @Test func `a long document is cut and reported, a query that leaves no room is an error`() async throws {
        let (encoder, _) = try await installed(TinyEncoder(positions: 16, labels: ["LABEL_0"]))
        let runner = try encoder.runner()
        try await runner.load()
        let long = Array(repeating: "mail", count: 30).joined(separator: " ")
        let result = try await runner.run(
            request: InferenceRequest(.rerank, prompt: "sun", inputs: ["the", long])
        )
        // 16 less [CLS] sun [SEP] and the last [SEP].
        #expect(result.usage.truncatedTokens == 30 - 12)
        #expect(result.notices.first?.hasPrefix("Document 2 was longer than the model's 16 tokens") == true)
        let error = await #expect(throws: BreezeError.self) {
            try await runner.run(request: InferenceRequest(.rerank, prompt: long, inputs: ["the"]))
        }
        #expect(error?.code == .invalidParameter)
        let missing = await #expect(throws: BreezeError.self) {
            try await runner.run(request: InferenceRequest(.rerank, prompt: "sun"))
        }
        #expect(missing?.code == .invalidRequest)
    }

    @Test func `prompts stand before texts, by what the text is for`() async throws {
        let publisher =
            #"{"prompts": {"query": "sun ", "document": "mail "}, "default_prompt_name": "query"}"#
        let prompted = try await installed(TinyEncoder(publisher: publisher)).encoder.runner()
        let plain = try await installed(TinyEncoder()).encoder.runner()
        try await prompted.load()
        try await plain.load()
        func embed(_ runner: any Runner, _ text: String, _ type: InputType? = nil) async throws
            -> InferenceOutput
        {
            try await runner.run(request: InferenceRequest(.embedding, prompt: text, inputType: type)).output
        }
        #expect(try await embed(prompted, "the", .query) == embed(plain, "sun the"))
        #expect(try await embed(prompted, "the", .passage) == embed(plain, "mail the"))
        #expect(try await embed(prompted, "the") == embed(plain, "sun the"))
        // A model without prompts reads every text as it is.
        #expect(try await embed(plain, "the", .query) == embed(plain, "the"))
    }

    @Test func `MPNet answers too, its distances given to LiteRT as an input`() async throws {
        let (encoder, directory) = try await installed(TinyEncoder(.mpnet, positions: 40))
        // <s> the mail </s>
        let expected = try await reference([[0, 5, 7, 2]], directory)[0]
        for (liteRT, tolerance) in Self.runtimes {
            let runner = try encoder.runner(liteRT: liteRT)
            try await runner.load()
            let result = try await runner.run(request: InferenceRequest(.embedding, prompt: "the mail"))
            guard case .embeddings(let vectors) = result.output else {
                Issue.record("\(result.output)")
                continue
            }
            #expect(zip(vectors[0], expected).allSatisfy { abs(Double($0) - $1) < tolerance })
        }
    }

    @Test func `a classifier leaves categories of the caller's own to an embedding model`() async throws {
        let labelled = try await installed(TinyEncoder(labels: ["ham", "spam"])).encoder.runner()
        let embedding = try await installed(TinyEncoder()).encoder.runner()
        let categories = [ClassificationCategory(name: "post", examples: ["the mail"])]
        let own = InferenceRequest(.classification, prompt: "mail", categories: categories)
        #expect(!labelled.canRun(request: own))
        #expect(embedding.canRun(request: own))
        #expect(labelled.canRun(request: InferenceRequest(.classification, prompt: "mail")))
        #expect(!labelled.canRun(request: InferenceRequest(.embedding, prompt: "mail")))
        #expect(!embedding.canRun(request: InferenceRequest(.rerank, prompt: "sun", inputs: ["mail"])))
    }

    @Test func `fp32 is what the precision setting asks for`() async throws {
        let (encoder, directory) = try await installed(TinyEncoder())
        let expected = try await reference([[2, 5, 7, 3]], directory)[0]
        let runner = try encoder.runner(settings: LoadSettings(["precision": "fp32"]))
        try await runner.load()
        let result = try await runner.run(request: InferenceRequest(.embedding, prompt: "the mail"))
        #expect(result.runtime == "LiteRT 2.3.0, fp32")
        guard case .embeddings(let vectors) = result.output else {
            Issue.record("\(result.output)")
            return
        }
        #expect(zip(vectors[0], expected).allSatisfy { abs(Double($0) - $1) < 1e-4 })
    }
}
