import BreezeCore
import BreezeWorker
import Foundation
import Synchronization

/// Does what the first word of the prompt says; the settings say how it loads.
final class ScriptedRunner: StreamingRunner {
    static let kind = "scripted"

    let id = "test:scripted"
    let supportedCapabilities: [AICapability] = [.chat, .embedding]
    let concurrency = 64
    private let settings: [String: JSONValue]
    /// Chunks that the sink has taken.
    private let sent = Mutex(0)

    init(_ descriptor: WorkerDescriptor) {
        settings = descriptor.settings.values
    }

    func load() async throws { try await load { _ in } }

    func load(onProgress progress: @escaping LoadProgress) async throws {
        // Held open as long as this process lives: whoever reads from it learns of its end.
        if let fifo = settings["fifo"]?.stringValue { _ = open(fifo, O_WRONLY | O_CLOEXEC) }
        let steps = settings["loadSteps"]?.intValue ?? 0
        for step in 0..<steps { progress(.init(stage: "loading", completed: step + 1, total: steps)) }
        switch settings["load"]?.stringValue {
        case "fail": throw BreezeError(.invalidFile, "The model is broken.", remedy: "Get another.")
        case "crash": abort()
        case "hang": await forever()
        default: break
        }
    }

    func unload() async {}

    func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let words = (request.prompt ?? "").split(separator: " ").map(String.init)
        let number = words.dropFirst().first.flatMap { Int($0) } ?? 0
        func send(_ text: String) async throws {
            try await sink.send(InferenceChunk(requestID: request.id, .text(text)))
            sent.withLock { $0 += 1 }
        }
        func answer(_ text: String) -> InferenceResult {
            InferenceResult(requestID: request.id, output: .text(text), runner: id)
        }
        switch words.first {
        case "echo":
            for index in 0..<number { try await send("\(index) ") }
            return answer((0..<number).map { "\($0) " }.joined())
        case "sent": return answer("\(sent.withLock { $0 })")
        case "vectors": return try await vectors(number, request, sink)
        case "hold":
            try await send("holding")
            try await Task.sleep(for: .seconds(1_000_000))
            return answer("")
        case "hang":
            try await send("hanging")
            await forever()
        case "grow": return answer(try await grow(number, send))
        case "nest": return answer(try await Nesting.hold(settings, send))
        case "rounds": return answer(try await Nesting.rounds(number))
        case "environment":
            return answer(ProcessInfo.processInfo.environment.map { "\($0)=\($1)\n" }.sorted().joined())
        default: break
        }
        try await send("so far so good")
        return answer(try await misbehave(words.first ?? ""))
    }

    private func vectors(
        _ count: Int,
        _ request: InferenceRequest,
        _ sink: ChunkSink
    ) async throws -> InferenceResult {
        let vectors = (0..<count).map { index in (0..<64).map { Float(index) / Float($0 + 1) } }
        for (index, vector) in vectors.enumerated() {
            let chunk = InferenceChunk(requestID: request.id, .embedding(index: index, vector: vector))
            try await sink.send(chunk)
        }
        return InferenceResult(requestID: request.id, output: .embeddings(vectors), runner: id)
    }

    private func misbehave(_ word: String) async throws -> String {
        switch word {
        case "segv": raise(SIGSEGV)
        case "abort":
            FileHandle.standardError.write(Data("assertion failed: this test wants it\n".utf8))
            abort()
        case "exit": exit(7)
        case "fail":
            throw BreezeError(.unsupported, "Not this.", remedy: "That.", retryAfter: .seconds(2.5))
        case "throw": throw CocoaError(.fileNoSuchFile)
        case "print":
            print("a runtime's own words")
            fflush(nil)
            return "printed; " + (readLine() ?? "nothing to read")
        case "socket": return Sockets.attempts()
        default: throw BreezeError(.invalidRequest, "No script is called \(word).")
        }
        return ""
    }

    /// Takes and touches so many pieces of 16 MiB.
    private func grow(_ pieces: Int, _ send: (String) async throws -> Void) async throws -> String {
        var taken: [UnsafeMutableRawPointer] = []
        defer { for piece in taken { free(piece) } }
        for index in 0..<pieces {
            guard let piece = malloc(16 << 20) else { return "refused" }
            memset(piece, Int32(index + 1), 16 << 20)
            taken.append(piece)
            try await send("\(index)")
        }
        return "grown"
    }

    private func forever() async -> Never {
        while true { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
}
