#if Hub
import BreezeCore
import BreezeEngine
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailSearch
import BreezeMailTestSupport
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeMailJudgement

/// An encoder for a real engine: here, or over the network with the user's consent for everything that is no mail.
private final class TestEncoder: Runner {
    let id = "test-encoder"
    let supportedCapabilities: [AICapability] = [.embedding, .chat]
    let locality: Locality
    let texts = Mutex<[String]>([])

    init(_ locality: Locality) { self.locality = locality }

    func load() async throws {}
    func unload() async {}

    func run(request: InferenceRequest) async throws -> InferenceResult {
        texts.withLock { $0 += request.texts }
        return InferenceResult(
            requestID: request.id,
            output: .embeddings(request.texts.map { BagOfWords.vector($0) }),
            runner: id,
            model: "bag-of-words"
        )
    }
}

private struct Settings: SettingsSource {
    var values: [([String], JSONValue)]

    func current() throws -> EngineSettings {
        var tree = SettingsTree()
        for (path, value) in values { try tree.set(path, to: value, origin: .file("test")) }
        return EngineSettings(tree, revision: 0)
    }
}

@Suite(.enabled(if: SearchBench.isAvailable, "the trait Mail is off"))
struct `Judging mail` {
    private func bench(_ runner: TestEncoder, _ settings: [([String], JSONValue)]) async throws
        -> (JudgeBench, MailJudge, AIProcessingQueue)
    {
        let bench = try JudgeBench()
        try await bench.fill()
        try bench.mail.write(
            20,
            "Card",
            "My card is 4111 1111 1111 1111, my number +49 30 1234567, write to pat@mail.example."
        )
        try await bench.mail.indexMail()
        let engine = Engine(settings: Settings(values: settings))
        try await engine.register(runner)
        let judge = MailJudge(
            index: bench.mail.index,
            vectors: bench.mail.vectors,
            embedder: engine,
            reader: bench.reader,
            classifier: MailClassifier(heads: JudgeBench.heads)
        )
        var settings = ProcessingSettings()
        settings.embedding.conditions = .always
        settings.embedding.sleep = { _ in }
        return (bench, judge, AIProcessingQueue(judge, embedder: engine, settings: settings))
    }

    @Test func `asks nothing of a runner over the network, whatever was consented to`() async throws {
        let runner = TestEncoder(.network)
        let consent: [([String], JSONValue)] = [(["privacy", "consent"], ["test-encoder"])]
        let (bench, judge, queue) = try await bench(runner, consent)
        try await queue.run()
        #expect(await queue.progress.encoderFault?.code == .noRunner)
        let message = try await bench.message(1)
        #expect(try await judge.judged(message)?.verdict.missing == [.encoder])
        _ = try await judge.decide(try await bench.message(20), limit: .seconds(2))
        _ = try await judge.correct(message, .wanted, scope: .message)
        #expect(runner.texts.withLock { $0 }.isEmpty)
    }

    @Test func `reads what is personal as it is: the guardian's rules for it are for what leaves the device`()
        async throws
    {
        let runner = TestEncoder(.onDevice)
        let rules: [([String], JSONValue)] = [
            (["guardian", "personalData"], "redact"), (["guardian", "input"], "block"),
        ]
        let (bench, judge, queue) = try await bench(runner, rules)
        try await queue.run()
        let texts = runner.texts.withLock { $0 }
        #expect(texts.contains { $0.contains("4111 1111 1111 1111") && $0.contains("pat@mail.example") })
        #expect(try await judge.judged(try await bench.message(20))?.verdict.missing == [])
    }
}
#endif
