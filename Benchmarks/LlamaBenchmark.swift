import BreezeCore
import BreezeEngine
import BreezeLlamaRunner
import BreezeWorker
import Foundation

/// GGUF models with llama.cpp, in this process and in workers.
struct LlamaBenchmark {
    struct Command: Decodable {
        enum Kind: String, Decodable { case load, generate, firstToken, cancel, idle, unload }
        enum Phase: String, Decodable { case prefill, decode }

        let kind: Kind
        /// `load`: the GGUF, on how many threads, and whether in a worker.
        let file: String?
        let threads: Int?
        let hosted: Bool?
        /// All others: which of the loaded runners, counted from 0; `firstToken` takes them in turns.
        let runners: [Int]?
        /// What to ask, as a user's message, and the most tokens of the answer.
        let text: String?
        let tokens: Int?
        let seed: Int?
        /// `firstToken`, `cancel`: how often.
        let count: Int?
        /// `cancel`: when.
        let phase: Phase?
    }

    struct Figures: Encodable {
        var wallSeconds: Double?
        /// Of the worker.
        var processID: Int32?
        /// Bytes of this process in memory, before and after.
        var residentBefore: Int64?
        var resident: Int64?
        var workerResident: Int64?
        var workerIsGone: Bool?
        var usage: Usage?
        /// As the runner took it.
        var timings: Timings?
        /// As the caller saw it: until the first piece came, and from there to the end.
        var firstSeconds: Double?
        var restSeconds: Double?
        /// A list a runner.
        var seconds: [[Double]]?
    }

    static let launch = WorkerLaunch.thisProgram(arguments: ["worker"], version: "benchmark")

    static let registry = WorkerRegistry([
        "llama": { descriptor in
            let (model, file) = try descriptor.modelFile()
            return LlamaRunner(model: model, file: file, settings: descriptor.settings)
        }
    ])

    private var runners: [any Runner] = []

    mutating func answer(_ command: Command) async throws -> Figures {
        switch command.kind {
        case .load: try await load(command)
        case .generate: try await generate(command)
        case .firstToken: try await firstToken(command)
        case .cancel: try await cancel(command)
        case .idle: idle()
        case .unload: try await unload(command)
        }
    }

    func chosen(by command: Command) throws -> [any Runner] {
        let indices = command.runners ?? [0]
        guard indices.allSatisfy(runners.indices.contains) else {
            throw BreezeError(.invalidRequest, "Only \(runners.count) runners are loaded.")
        }
        return indices.map { runners[$0] }
    }

    private mutating func load(_ command: Command) async throws -> Figures {
        let file = URL(filePath: command.file ?? "")
        let model = ModelInfo(id: file.lastPathComponent, format: .gguf, capabilities: [.chat])
        let settings = LoadSettings(["threads": .integer(command.threads ?? 1)])
        let inProcess = LlamaRunner(model: model, file: file, settings: settings)
        let worker = WorkerRunner(
            WorkerFacts(of: inProcess),
            descriptor: WorkerDescriptor(kind: "llama", model: model, path: file.path, settings: settings),
            launch: Self.launch
        )
        let isHosted = command.hosted ?? false
        let runner: any Runner = isHosted ? worker : inProcess
        let before = SystemProcessMemory().resident()
        let clock = Stopwatch()
        try await runner.load()
        var figures = Figures(wallSeconds: clock.wallSeconds, residentBefore: before)
        figures.resident = SystemProcessMemory().resident()
        (figures.processID, figures.workerResident) = (worker.processID, worker.residentMemory)
        runners.append(runner)
        return figures
    }

    private func generate(_ command: Command) async throws -> Figures {
        let runner = try chosen(by: command)[0]
        let pace = Pace()
        let result = try await runner.stream(Self.request(command), into: ChunkSink { _ in pace.note() })
        var figures = Figures(wallSeconds: pace.elapsed, usage: result.usage, timings: result.timings)
        (figures.firstSeconds, figures.restSeconds) = (pace.first, pace.first.map { pace.elapsed - $0 })
        figures.resident = SystemProcessMemory().resident()
        figures.workerResident = (runner as? WorkerRunner)?.residentMemory
        return figures
    }

    /// The runners in turns, so that what disturbs one disturbs the others. The prompt stays in the cache, since what
    /// is between the caller and llama.cpp is measured here and not the reading.
    private func firstToken(_ command: Command) async throws -> Figures {
        let runners = try chosen(by: command)
        var seconds: [[Double]] = runners.map { _ in [] }
        for round in 0...(command.count ?? 100) {
            for (index, runner) in runners.enumerated() {
                let pace = Pace()
                _ = try await runner.stream(Self.request(command), into: ChunkSink { _ in pace.note() })
                // The first round reads the prompt.
                if round > 0, let first = pace.first { seconds[index].append(first) }
            }
        }
        return Figures(seconds: seconds)
    }

    /// What the process holds, with or without a runner.
    private func idle() -> Figures {
        var figures = Figures(resident: SystemProcessMemory().resident())
        figures.workerResident = (runners.first as? WorkerRunner)?.residentMemory
        return figures
    }

    private mutating func unload(_ command: Command) async throws -> Figures {
        let index = command.runners?.first ?? 0
        let worker = try chosen(by: command)[0] as? WorkerRunner
        let process = worker?.processID
        let clock = Stopwatch()
        await runners[index].unload()
        var figures = Figures(wallSeconds: clock.wallSeconds, resident: SystemProcessMemory().resident())
        // Signal 0 only asks whether the process exists.
        figures.workerIsGone = process.map { kill($0, 0) != 0 && errno == ESRCH }
        return figures
    }

    static func request(_ command: Command) -> InferenceRequest {
        var configuration = InferenceConfig()
        (configuration.maxTokens, configuration.seed) = (command.tokens ?? 1, command.seed ?? 1)
        return InferenceRequest(.chat, prompt: command.text ?? "hello", configuration: configuration)
    }
}
