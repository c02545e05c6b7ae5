import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Synchronization

/// An engine with a guardian and a chat runner that answers in given pieces, and what it was asked.
struct GuardianFixture {
    enum Kind: CaseIterable, Sendable, CustomStringConvertible {
        case whole, pieces

        var description: String {
            switch self {
            case .whole: "a guardian of whole texts"
            case .pieces: "a guardian that reads pieces"
            }
        }

        func guardian(_ phrases: Phrases) -> any Runner {
            switch self {
            case .whole: PhraseGuardian("watch", phrases)
            case .pieces: PhraseScannerGuardian(id: "watch", phrases: phrases)
            }
        }
    }

    let engine: Engine
    let chat: ScriptedRunner
    private let asked: Recorder

    /// `guardian` is registered where there is one.
    init(
        _ guardian: (any Runner)?,
        settings: [String] = [],
        consents: [String] = [],
        clock: any Clock<Duration> = ManualClock(),
        capabilities: [AICapability] = [.chat],
        locality: Locality = .onDevice,
        onRun: @escaping @Sendable (InferenceRequest, ChunkSink) async throws -> String = { _, _ in "fine" }
    ) async throws {
        let asked = Recorder()
        chat = ScriptedRunner(
            "chat",
            capabilities,
            locality: locality,
            onRun: { request, sink in
                asked.note(request)
                return try await onRun(request, sink)
            }
        )
        self.asked = asked
        engine = Engine(settings: ScriptedSettings(settings, consents: consents), clock: clock)
        try await engine.register(chat)
        if let guardian { try await engine.register(guardian) }
    }

    /// The requests that reached the chat runner.
    var requests: [InferenceRequest] { asked.requests }

    /// A runner that sends `pieces` and returns them joined.
    static func pieces(_ pieces: [String]) -> @Sendable (InferenceRequest, ChunkSink) async throws -> String {
        { request, sink in
            for piece in pieces { try await sink.send(InferenceChunk(requestID: request.id, .text(piece))) }
            return pieces.joined()
        }
    }

    struct Answer {
        var text = ""
        var chunks: [InferenceChunk.Content] = []
        var result: InferenceResult?
        var error: BreezeError?

        /// Without what the engine tells of the load.
        var fromRunner: [InferenceChunk.Content] {
            chunks.filter {
                if case .progress(let progress) = $0 { progress.stage != "loading" } else { true }
            }
        }
    }

    /// Everything that a caller sees of a streamed answer.
    func stream(_ request: InferenceRequest = InferenceRequest(.chat, prompt: "hello")) async throws -> Answer
    {
        var answer = Answer()
        do {
            for try await chunk in engine.stream(request) {
                answer.text += chunk.text ?? ""
                if let result = chunk.result {
                    answer.result = result
                } else {
                    answer.chunks.append(chunk.content)
                }
            }
        } catch let error as BreezeError {
            answer.error = error
        }
        return answer
    }

    private final class Recorder: Sendable {
        private let list: Mutex<[InferenceRequest]> = Mutex([])
        var requests: [InferenceRequest] { list.withLock { $0 } }
        func note(_ request: InferenceRequest) { list.withLock { $0.append(request) } }
    }
}
