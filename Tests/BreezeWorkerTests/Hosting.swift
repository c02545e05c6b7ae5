import BreezeCore
import BreezeTestSupport
import BreezeWorker
import Foundation

/// Hosted runners whose worker is the tests' own program.
enum Hosting {
    static let executable: URL? = TestProgram.named("breeze-test-worker")

    static func launch(_ arguments: String...) throws -> WorkerLaunch {
        guard let executable else { throw BreezeError(.unavailable, "breeze-test-worker was not built.") }
        return WorkerLaunch(
            executable: executable,
            arguments: arguments.isEmpty ? ["worker"] : arguments,
            version: "test"
        )
    }

    /// What the worker's scripted runner says of itself.
    struct Scripted: Runner {
        let id = "test:scripted"
        let supportedCapabilities: [AICapability] = [.chat, .embedding]
        let concurrency = 64
        func load() async throws {}
        func unload() async {}
        func run(request: InferenceRequest) async throws -> InferenceResult {
            throw BreezeError(.internalError, "This one only describes.")
        }
    }

    static func scripted(
        _ settings: [String: JSONValue] = [:],
        memoryLimit: Int64? = nil,
        needsNetwork: Bool = false,
        launch: WorkerLaunch? = nil,
        options: WorkerOptions = WorkerOptions(),
        clock: any Clock<Duration> = SuspendingClock()
    ) throws -> WorkerRunner {
        WorkerRunner(
            WorkerFacts(of: Scripted()),
            descriptor: WorkerDescriptor(
                kind: "scripted",
                settings: LoadSettings(settings),
                memoryLimit: memoryLimit,
                needsNetwork: needsNetwork
            ),
            launch: try launch ?? Self.launch(),
            options: options,
            clock: clock
        )
    }
}

extension WorkerRunner {
    /// The words of the answer.
    func say(_ prompt: String) async throws -> String {
        try await run(request: InferenceRequest(.chat, prompt: prompt)).output.text ?? ""
    }

    /// Runs with a look at each chunk's text.
    @discardableResult
    func follow(
        _ prompt: String,
        timeout: Double? = nil,
        _ look: @escaping @Sendable (String) async throws -> Void
    ) async throws -> InferenceResult {
        let configuration = InferenceConfig(timeout: timeout)
        let request = InferenceRequest(.chat, prompt: prompt, configuration: configuration)
        return try await run(request: request, into: ChunkSink { try await look($0.text ?? "") })
    }
}
