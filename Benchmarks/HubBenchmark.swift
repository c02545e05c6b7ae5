import BreezeCore
import BreezeEncoderRunner
import BreezeEngine
import BreezeGuardianRunner
import BreezeLiteRT
import BreezeLlamaRunner
import BreezeMockRunners
import BreezeModels
import BreezeOnnxRuntime
import Foundation

/// The engine as the hub composes it, asked without the hub: what the way over HTTP is held against.
struct HubBenchmark {
    struct Command: Decodable {
        enum Kind: String, Decodable { case load, chat, embed }

        let kind: Kind
        /// `load`: the home that the hub has too, and the encoder's workers.
        let home: String?
        let workers: Int?
        /// `chat`: the user's message, how many requests, and from how many clients at once.
        let text: String?
        let count: Int?
        let clients: Int?
        /// `embed`: the texts, how many of them in one request, and the encoder's model.
        let texts: [String]?
        let batch: Int?
        let model: String?
    }

    struct Figures: Encodable {
        var wallSeconds = 0.0
        var cpuSeconds = 0.0
        /// `chat`: of each request, in no order.
        var seconds: [Double] = []
        /// `embed`: what answered.
        var runtime: String?
    }

    private var engine = Engine()

    mutating func answer(_ command: Command) async throws -> Figures {
        switch command.kind {
        case .load: try await load(command)
        case .chat: try await chat(command)
        case .embed: try await embed(command)
        }
    }

    private mutating func load(_ command: Command) async throws -> Figures {
        let home = URL(filePath: command.home ?? "", directoryHint: .isDirectory)
        let environment = ProcessInfo.processInfo.environment
        let workers = command.workers ?? 1
        let runtimes = EncoderRuntimes(
            liteRT: { try LiteRTLibrary.locate(environment: environment) },
            onnxRuntime: { try OnnxRuntimeLibrary.locate(environment: environment) },
            workers: { workers }
        )
        let clock = Stopwatch()
        // A file, as the hub's are: it is looked at for each request.
        engine = Engine(settings: SettingsStore(file: home.appending(path: "settings.json")))
        let store = ModelStore(home: home)
        let factory = EncoderRunnerFactory(store: store, runtimes: runtimes)
        let models = try store.list().models.map(\.info)
        for model in models where factory.canMakeRunner(for: model) {
            try await engine.register(try factory.makeRunner(for: model, settings: LoadSettings()))
        }
        // Nobody asks them: they are among those that the engine chooses from.
        for model in models where model.format == .gguf {
            guard let file = try store.files(for: model.id).gguf else { continue }
            try await engine.register(LlamaRunner(model: model, file: file, settings: LoadSettings()))
        }
        try await engine.register(RulesGuardianRunner())
        for runner in MockRunners.all() { try await engine.register(runner) }
        return Figures(wallSeconds: clock.wallSeconds, cpuSeconds: clock.cpuSeconds)
    }

    private func chat(_ command: Command) async throws -> Figures {
        let (clients, engine) = (command.clients ?? 1, engine)
        let each = (command.count ?? 1_000) / clients
        let message = ChatMessage(.user, command.text ?? "hello")
        let clock = Stopwatch()
        let seconds = try await withThrowingTaskGroup(of: [Double].self) { group in
            for _ in 0..<clients {
                group.addTask {
                    var seconds: [Double] = []
                    for _ in 0..<each {
                        let clock = Stopwatch()
                        _ = try await engine.run(
                            InferenceRequest(.chat, messages: [message], runnerID: "mock:llm")
                        )
                        seconds.append(clock.wallSeconds)
                    }
                    return seconds
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return Figures(wallSeconds: clock.wallSeconds, cpuSeconds: clock.cpuSeconds, seconds: seconds)
    }

    private func embed(_ command: Command) async throws -> Figures {
        let texts = command.texts ?? []
        let batch = max(1, command.batch ?? 1)
        var runtime: String?
        let clock = Stopwatch()
        for start in stride(from: 0, to: texts.count, by: batch) {
            let part = Array(texts[start..<min(start + batch, texts.count)])
            let request = InferenceRequest(.embedding, inputs: part, modelID: command.model)
            runtime = try await engine.run(request).runtime
        }
        return Figures(wallSeconds: clock.wallSeconds, cpuSeconds: clock.cpuSeconds, runtime: runtime)
    }
}
