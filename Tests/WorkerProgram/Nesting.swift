import BreezeCore
import BreezeWorker
import Foundation

/// Workers of this worker: in a process of its own a test can count descriptors and children, and kill a parent.
enum Nesting {
    private struct Facts: Runner {
        let id = "test:scripted"
        let supportedCapabilities: [AICapability] = [.chat]
        let concurrency = 64
        func load() async throws {}
        func unload() async {}
        func run(request: InferenceRequest) async throws -> InferenceResult {
            throw BreezeError(.internalError, "This one only describes.")
        }
    }

    private static func runner(_ settings: [String: JSONValue]) -> WorkerRunner {
        WorkerRunner(
            WorkerFacts(of: Facts()),
            descriptor: WorkerDescriptor(kind: ScriptedRunner.kind, settings: LoadSettings(settings)),
            launch: .thisProgram(arguments: ["worker"], version: TestWorker.version)
        )
    }

    /// Loads a worker that holds the file "nestedFifo" open, and never ends.
    static func hold(
        _ settings: [String: JSONValue],
        _ send: (String) async throws -> Void
    ) async throws -> String {
        let runner = runner(["fifo": settings["nestedFifo"] ?? .null])
        try await runner.load()
        try await send("\(runner.processID ?? 0)")
        try await Task.sleep(for: .seconds(1_000_000))
        return runner.id
    }

    /// Starts, uses and ends so many workers, in each of the ways that one ends. Answers with the descriptors before
    /// and after, and with what is left of the children.
    static func rounds(_ count: Int) async throws -> String {
        _ = try await round(0)
        let before = descriptors()
        for index in 0..<count { try await round(index) }
        let after = descriptors()
        let child = waitpid(-1, nil, WNOHANG)
        return "\(before) \(after) \(child < 0 && errno == ECHILD ? "none" : "\(child)")"
    }

    private static func round(_ index: Int) async throws {
        let runner = runner([:])
        let answer = try await runner.run(request: InferenceRequest(.chat, prompt: "echo 3"))
        guard answer.output.text == "0 1 2 " else { throw BreezeError(.invalidOutput, "No echo.") }
        switch index % 3 {
        case 0: await runner.unload()
        case 1: _ = try? await runner.run(request: InferenceRequest(.chat, prompt: "segv"))
        default:
            // Ends with its last reference, and nobody waits for that but whoever counts.
            try await ended(runner)
        }
    }

    private static func ended(_ runner: WorkerRunner) async throws {
        guard let process = runner.processID else { return }
        kill(process, SIGKILL)
        // The next request finds it gone, in whichever state: only then is it reaped for certain.
        _ = try? await runner.run(request: InferenceRequest(.chat, prompt: "echo 1"))
        await runner.unload()
    }

    private static func descriptors() -> Int {
        let folder = FileManager.default.fileExists(atPath: "/proc/self/fd") ? "/proc/self/fd" : "/dev/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
    }
}
