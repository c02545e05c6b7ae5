import BreezeCore
import BreezeMailIndex
import BreezeMailSearch
import Foundation
import Synchronization

/// Embeds an index, for tests that kill it: `DATABASE [MARK DELAY]`. Says at last `done TEXTS`, how many were embedded, or
/// `failed CODE`; with a mark it kills itself DELAY microseconds after so many passages are done.
@main
enum MailSearchProgram {
    static func main() async {
        #if Hub
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else { return print("failed usage") }
        do {
            let index = try MailIndex.open(at: URL(filePath: arguments[1]))
            var settings = EmbeddingSettings()
            settings.conditions = .always
            settings.batch = 5
            if arguments.count == 4, let mark = Int(arguments[2]), let delay = UInt32(arguments[3]) {
                let start = SharedCount()
                settings.progress = { progress in
                    guard progress.state == .working, progress.total > 0,
                        progress.done >= start.first(progress.done) + mark
                    else { return }
                    Thread.detachNewThread {
                        usleep(delay)
                        kill(getpid(), SIGKILL)
                    }
                }
            }
            let lengths = LengthsAsVectors()
            let vectors = MailVectors(beside: index)
            try await EmbeddingQueue(index: index, vectors: vectors, embedder: lengths, settings: settings)
                .run()
            try index.close()
            print("done \(lengths.count.value)")
        } catch {
            print("failed", (error as? BreezeError)?.code.rawValue ?? "\(error)")
        }
        #else
        print("failed unavailable")
        #endif
    }
}

#if Hub
/// A number that several threads know.
final class SharedCount: Sendable {
    private let number = Mutex<Int?>(nil)

    /// The first one that it was told.
    func first(_ new: Int) -> Int {
        number.withLock { number in
            if number == nil { number = new }
            return number ?? new
        }
    }

    func add(_ more: Int) { number.withLock { $0 = ($0 ?? 0) + more } }
    var value: Int { number.withLock { $0 ?? 0 } }
}

/// An encoder that takes its time, as real ones do.
struct LengthsAsVectors: InferenceService {
    let count = SharedCount()

    func run(_ request: InferenceRequest) async throws -> InferenceResult {
        usleep(2_000)
        if request.texts.count > 1 || request.priority == .background { count.add(request.texts.count) }
        let vectors = request.texts.map { [Float($0.utf8.count), 1, 2, 3] }
        return InferenceResult(
            requestID: request.id,
            output: .embeddings(vectors),
            runner: "lengths",
            model: "lengths"
        )
    }

    func stream(_ request: InferenceRequest) -> InferenceStream {
        InferenceStream { sink in
            try await sink.send(InferenceChunk(requestID: request.id, .result(run(request))))
        }
    }

    func cancel(_ id: String) async -> Bool { false }

    func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        RoutingDecision(capability: request.capability, chosen: "lengths", candidates: [])
    }
}
#endif
