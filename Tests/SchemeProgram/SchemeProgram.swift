import BreezeCore
import BreezeScheme
import Foundation

#if Hub
import BreezeSchemeHandler
import BreezeSchemeStore
#endif

/// What the tests start beside themselves:
///
/// - `take STORE COUNT`: takes the messages of nonces 0 to COUNT - 1, and says of each, in a line of its own, what came
///   of it once it is on the disk.
/// - `open STORE URL`: handles a URL as `breeze open` does, with an owner who always says yes and a model that repeats
///   the prompt.
@main
enum SchemeProgram {
    static func main() async throws {
        #if Hub
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else { return print("usage") }
        let store = try SchemeStore(URL(filePath: arguments[2]))
        switch arguments[1] {
        case "take": try take(Int(arguments[3]) ?? 0, store)
        case "open": try await open(arguments[3], store)
        default: print("usage")
        }
        try store.close()
        #endif
    }

    #if Hub
    static let now: Int64 = 1_800_000_000_000

    private static func take(_ count: Int, _ store: SchemeStore) throws {
        guard let app = AppID("qk7lqbjjzrqh") else { return }
        for number in 0..<count {
            let bytes = (0..<12).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
            guard let nonce = MessageNonce(bytes) else { return }
            let decision = try store.take(nonce, of: app, until: UInt64(now + 120_000), at: now)
            // One write a line: whoever kills this sees whole lines of what is on the disk.
            let line = Array("\(decision == .taken(at: now) ? "taken" : "\(decision)") \(number)\n".utf8)
            FileHandle.standardOutput.write(Data(line))
        }
    }

    private static func open(_ url: String, _ store: SchemeStore) async throws {
        #if os(Linux)
        let handler = try SchemeHandler(
            store: store,
            service: { Echo() },
            questions: Yes(),
            opener: GIOOpener(),
            handoff: nil,
            showSettings: {}
        )
        let outcome = await handler.handle(url)
        if let error = outcome.error { print(error) }
        #endif
    }

    private struct Yes: OwnerQuestions {
        func answer(to question: OwnerQuestion) async -> OwnerAnswer {
            if case .pair = question { .pair } else { .allowOnce }
        }
    }

    private struct Echo: InferenceService {
        func run(_ request: InferenceRequest) async throws -> InferenceResult {
            let asked = request.prompt ?? request.messages?.last?.content ?? ""
            return InferenceResult(
                requestID: request.id,
                output: .text("echo: \(asked)"),
                runner: "echo"
            )
        }

        func stream(_ request: InferenceRequest) -> InferenceStream {
            InferenceStream { _ in throw BreezeError(.unsupported, "Over the scheme a stream is one answer.")
            }
        }

        func cancel(_ id: String) async -> Bool { false }

        func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
            RoutingDecision(capability: request.capability, chosen: "echo", candidates: [])
        }
    }
    #endif
}
