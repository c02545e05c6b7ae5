#if Hub
import BreezeCore
import BreezeEncoderRunner
import BreezeEngine
import BreezeLiteRT
import BreezeMail
import BreezeMailIndex
import BreezeMailSearch
import BreezeModels
import BreezeOnnxRuntime
import Foundation
import Synchronization

/// Mail found by words and by meaning, with the real encoder, over an index that the part `mail` made.
struct MailSearchBenchmark {
    struct Command: Decodable {
        enum Kind: String, Decodable { case open, embed, search }

        let kind: Kind
        /// `open`: the index's file, the model store's folder and the encoder's id there.
        let database: String?
        let home: String?
        let model: String?
        /// `embed`: whether vectors are made up, for what does not depend on them.
        let isRandom: Bool?
        /// `search`: what people type, one after the other.
        let queries: [String]?
        let mode: SearchMode?
        let limit: Int?
    }

    struct Figures: Encodable {
        var seconds: Double
        var cpuSeconds: Double
        /// `embed`: passages.
        var passages: Int?
        var failed: Int?
        /// `search`: of each query the Message-IDs that it found, the time it took, and where that went.
        var found: [[String]]?
        var times: [Double]?
        var parts: [SearchExplanation]?
        /// Kinds of notices, with how many queries had one.
        var notices: [String: Int]?
        /// Bytes of the process in memory.
        var resident: Int64?
    }

    private struct Opened {
        var index: MailIndex
        var vectors: MailVectors
        var engine: Engine
    }

    private var opened: Opened?

    mutating func answer(_ command: Command) async throws -> Figures {
        let clock = Stopwatch()
        var figures = Figures(seconds: 0, cpuSeconds: 0)
        if command.kind == .open { opened = try await open(command) }
        guard let opened else { throw BreezeError(.invalidRequest, "No index is open.") }
        switch command.kind {
        case .open: break
        case .embed: try await embed(opened, command, &figures)
        case .search: try await search(opened, command, &figures)
        }
        figures.seconds = clock.wallSeconds
        figures.cpuSeconds = clock.cpuSeconds
        figures.resident = SystemProcessMemory().resident()
        return figures
    }

    private func open(_ command: Command) async throws -> Opened {
        let store = ModelStore(home: URL(filePath: command.home ?? "", directoryHint: .isDirectory))
        let environment = ProcessInfo.processInfo.environment
        let runtimes = EncoderRuntimes(
            liteRT: { try LiteRTLibrary.locate(environment: environment) },
            onnxRuntime: { try OnnxRuntimeLibrary.locate(environment: environment) },
            workers: { ProcessInfo.processInfo.activeProcessorCount }
        )
        let factory = EncoderRunnerFactory(store: store, runtimes: runtimes)
        let info = try store.manifest(for: command.model ?? "").info
        let engine = Engine()
        try await engine.register(factory.makeRunner(for: info, settings: LoadSettings()))
        let index = try MailIndex.open(at: URL(filePath: command.database ?? ""))
        return Opened(index: index, vectors: MailVectors(beside: index), engine: engine)
    }

    private func embed(_ opened: Opened, _ command: Command, _ figures: inout Figures) async throws {
        var settings = EmbeddingSettings()
        settings.conditions = .always
        let queue = EmbeddingQueue(
            index: opened.index,
            vectors: opened.vectors,
            embedder: command.isRandom == true ? RandomEmbedder(opened.engine) : opened.engine,
            settings: settings
        )
        try await queue.run()
        figures.passages = await queue.progress.total
        figures.failed = await queue.progress.failed
    }

    private func search(_ opened: Opened, _ command: Command, _ figures: inout Figures) async throws {
        let search = MailSearch(index: opened.index, vectors: opened.vectors, embedder: opened.engine)
        let clock = QueryClock(now: Date(), timeZone: .current)
        let options = SearchOptions(
            mode: command.mode ?? .both,
            limit: command.limit ?? 20,
            isExplained: true
        )
        var (found, times, parts): ([[String]], [Double], [SearchExplanation]) = ([], [], [])
        var notices: [String: Int] = [:]
        for text in command.queries ?? [] {
            let started = ContinuousClock.now
            let results = try await search.search(MailQuery(text, clock: clock), options)
            times.append((ContinuousClock.now - started) / .seconds(1))
            found.append(results.hits.map(\.messageID))
            if let explanation = results.explanation { parts.append(explanation) }
            for kind in Set(results.notices.map(\.kind.rawValue)) { notices[kind, default: 0] += 1 }
        }
        (figures.found, figures.times, figures.parts, figures.notices) = (found, times, parts, notices)
    }
}

/// Makes vectors up for batches, under the name of the encoder that answers single texts.
private final class RandomEmbedder: InferenceService {
    private let engine: Engine
    private let known = Mutex<(model: String?, dimension: Int)>((nil, 0))

    init(_ engine: Engine) {
        self.engine = engine
    }

    func run(_ request: InferenceRequest) async throws -> InferenceResult {
        let (model, dimension) = known.withLock { $0 }
        guard request.texts.count > 1, dimension > 0 else {
            let result = try await engine.run(request)
            if case .embeddings(let vectors) = result.output, let first = vectors.first {
                known.withLock { $0 = (result.model, first.count) }
            }
            return result
        }
        var vectors: [[Float]] = []
        for _ in request.texts { vectors.append((0..<dimension).map { _ in Float.random(in: -1...1) }) }
        return InferenceResult(
            requestID: request.id,
            output: .embeddings(vectors),
            runner: "random",
            model: model
        )
    }

    func stream(_ request: InferenceRequest) -> InferenceStream { engine.stream(request) }
    func cancel(_ id: String) async -> Bool { await engine.cancel(id) }

    func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        try await engine.explain(request)
    }
}
#endif
