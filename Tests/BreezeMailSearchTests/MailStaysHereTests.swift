#if Hub
import BreezeCore
import BreezeEngine
import BreezeMailIndex
import BreezeMailTestSupport
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeMailSearch

/// An encoder over the network, which the user has consented to for everything that is not mail.
private final class DistantEncoder: Runner {
    let id = "distant"
    let supportedCapabilities: [AICapability] = [.embedding]
    let locality = Locality.network
    let asked = Mutex(0)

    func load() async throws {}
    func unload() async {}

    func run(request: InferenceRequest) async throws -> InferenceResult {
        asked.withLock { $0 += 1 }
        return InferenceResult(
            requestID: request.id,
            output: .embeddings(request.texts.map { _ in [1, 0, 0, 1] }),
            runner: id
        )
    }
}

private struct Consent: SettingsSource {
    func current() throws -> EngineSettings {
        var tree = SettingsTree()
        try tree.set(["privacy", "consent"], to: .array([.string("distant")]), origin: .file("test"))
        return EngineSettings(tree, revision: 0)
    }
}

@Suite(.enabled(if: SearchBench.isAvailable, "the trait Mail is off"))
struct `Mail stays on the device` {
    @Test func `a consented runner over the network is asked nothing, and search says that words answer`()
        async throws
    {
        let bench = try SearchBench()
        try bench.write(1, "Secret", "The boat leaves at noon.")
        try await bench.indexMail()
        let distant = DistantEncoder()
        let engine = Engine(settings: Consent())
        try await engine.register(distant)
        // The consent is one: what is not mail goes out.
        _ = try await engine.run(InferenceRequest(.embedding, prompt: "hello"))
        #expect(distant.asked.withLock { $0 } == 1)
        var settings = EmbeddingSettings()
        settings.conditions = .always
        let queue = EmbeddingQueue(
            index: bench.index,
            vectors: bench.vectors,
            embedder: engine,
            settings: settings
        )
        let error = await #expect(throws: BreezeError.self) { try await queue.run() }
        #expect(error?.code == .noRunner)
        // Even where vectors are there already.
        try await bench.queue().run()
        let search = MailSearch(index: bench.index, vectors: bench.vectors, embedder: engine)
        for mode in [SearchMode.meaning, .both] {
            let results = try await search.search(SearchBench.query("boat"), SearchOptions(mode: mode))
            #expect(results.mode == .words && results.numbers == [1])
            #expect(results.kinds == [.noMeaning])
        }
        #expect(distant.asked.withLock { $0 } == 1)
    }
}
#endif
