import BreezeCore
import BreezeEncoderRunner
import BreezeEngine
import BreezeGuardianRunner
import BreezeLiteRT
import BreezeMockRunners
import BreezeModels
import BreezeOnnxRuntime
import Foundation

/// The encoder and the engine.
struct EncoderBenchmark {
    struct Command: Decodable {
        enum Kind: String, Decodable { case load, embed, idle, overhead, crowd, guardian }
        enum Runtime: String, Decodable { case litert, onnxruntime }

        let kind: Kind
        /// `load`: the model store's folder and the model's id there, the runtime and how many workers.
        let home: String?
        let model: String?
        let runtime: Runtime?
        let workers: Int?
        /// `guardian`: what to check. `embed`: what to embed, and with which of the loaded encoders, counted from 0.
        let texts: [String]?
        let encoder: Int?
        /// `overhead`, `crowd`: how many requests.
        let count: Int?
        /// `crowd`: how many clients ask at once.
        let clients: Int?
    }

    struct Figures: Encodable {
        var cpuSeconds: Double?
        var wallSeconds: Double?
        /// Bytes of the process in memory now.
        var resident: Int64?
        var embeddings: [[Float]]?
        /// What answered.
        var runtime: String?
        /// The ONNX graph, for the peer.
        var graph: String?
        /// CPU seconds a request, at the median.
        var engine: Double?
        var runnerAlone: Double?
        /// Bytes that the process grew by.
        var growth: Int64?
    }

    /// The encoders that were loaded, each in an engine of its own.
    private var encoders: [Engine] = []

    mutating func answer(_ command: Command) async throws -> Figures {
        switch command.kind {
        case .load: try await load(command)
        case .embed: try await embed(command)
        case .idle: try await idle()
        case .overhead: try await overhead(count: command.count ?? 1_000)
        case .guardian: try await check(command.texts ?? [])
        case .crowd: try await crowd(of: command.clients ?? 50, count: command.count ?? 10_000)
        }
    }

    private mutating func load(_ command: Command) async throws -> Figures {
        let store = ModelStore(home: URL(filePath: command.home ?? "", directoryHint: .isDirectory))
        let id = command.model ?? ""
        let environment = ProcessInfo.processInfo.environment
        let workers = command.workers ?? 1
        let wanted = command.runtime ?? .litert
        let runtimes = EncoderRuntimes(
            liteRT: {
                guard wanted == .litert else { throw BreezeError(.unavailable, "not asked for") }
                return try LiteRTLibrary.locate(environment: environment)
            },
            onnxRuntime: { try OnnxRuntimeLibrary.locate(environment: environment) },
            workers: { workers }
        )
        let factory = EncoderRunnerFactory(store: store, runtimes: runtimes)
        let info = try store.manifest(for: id).info
        let runner = try factory.makeRunner(for: info, settings: LoadSettings())
        let clock = Stopwatch()
        try await runner.load()
        var figures = clock.figures
        let engine = Engine()
        try await engine.register(runner)
        encoders.append(engine)
        figures.runtime = try await engine.run(InferenceRequest(.embedding, prompt: "warm")).runtime
        figures.graph = try await store.graph(.onnx, for: id).url.path
        return figures
    }

    private func embed(_ command: Command) async throws -> Figures {
        let request = InferenceRequest(.embedding, inputs: command.texts ?? [])
        let clock = Stopwatch()
        let result = try await encoders[command.encoder ?? 0].run(request)
        var figures = clock.figures
        figures.runtime = result.runtime
        if case .embeddings(let vectors) = result.output { figures.embeddings = vectors }
        return figures
    }

    /// The guardian that is always there, over each text.
    private func check(_ texts: [String]) async throws -> Figures {
        let guardian = RulesGuardianRunner()
        try await guardian.load()
        let clock = Stopwatch()
        for text in texts { _ = try await guardian.run(request: InferenceRequest(.guardian, prompt: text)) }
        return clock.figures
    }

    /// What a second without work costs.
    private func idle() async throws -> Figures {
        let clock = Stopwatch()
        try await Task.sleep(for: .seconds(1))
        return clock.figures
    }

    private func overhead(count: Int) async throws -> Figures {
        let engine = Engine()
        for runner in MockRunners.all() { try await engine.register(runner) }
        let request = InferenceRequest(.guardian, prompt: "hello", allowsMocks: true)
        guard let runner = MockRunners.all().first(where: { $0.canRun(request: request) }) else {
            return Figures()
        }
        var engineTimes: [Double] = []
        var runnerTimes: [Double] = []
        for index in 0..<count {
            var request = request
            request.id = "\(index)"
            let alone = Stopwatch()
            _ = try await runner.run(request: request)
            runnerTimes.append(alone.cpuSeconds)
            let whole = Stopwatch()
            _ = try await engine.run(request)
            engineTimes.append(whole.cpuSeconds)
        }
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        return Figures(engine: median(engineTimes), runnerAlone: median(runnerTimes))
    }

    /// Requests of many clients at one runner with a place for one of them, so that nearly all of them wait: CPU
    /// seconds a request on average, and what the process grew by over them.
    private func crowd(of clients: Int, count: Int) async throws -> Figures {
        let engine = Engine()
        for runner in MockRunners.all() { try await engine.register(runner) }
        let request = InferenceRequest(.guardian, prompt: "hello", allowsMocks: true)
        guard let runner = MockRunners.all().first(where: { $0.canRun(request: request) }) else {
            return Figures()
        }
        func ask(each: Int) async throws {
            try await withThrowingTaskGroup { group in
                for client in 0..<clients {
                    group.addTask {
                        var request = request
                        request.client = "client \(client)"
                        for index in 0..<each {
                            request.id = "\(client).\(index)"
                            _ = try await engine.run(request)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        let each = count / clients
        try await ask(each: max(1, each / 10))
        let before = Stopwatch().figures.resident
        let whole = Stopwatch()
        try await ask(each: each)
        var figures = whole.figures
        let alone = Stopwatch()
        for _ in 0..<count { _ = try await runner.run(request: request) }
        figures.engine = (figures.cpuSeconds ?? 0) / Double(each * clients)
        figures.runnerAlone = alone.cpuSeconds / Double(count)
        figures.growth = before.flatMap { before in figures.resident.map { $0 - before } }
        return figures
    }
}
