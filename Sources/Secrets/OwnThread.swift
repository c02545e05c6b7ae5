import BreezeCore
import Foundation
import Synchronization

/// Work that may wait for another process, on a thread of its own: Swift's pool has one a core, and none to spare.
enum OwnThread {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { start(body, Answer($0)) }
    }

    /// Gives up after `limit`, with `late`. The thread goes on until whatever it waits for gives up.
    static func run<Value: Sendable>(
        limit: Duration,
        late: BreezeError,
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let answer = Answer(continuation)
            start(body, answer)
            let seconds = limit / .seconds(1)
            DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { answer.give(.failure(late)) }
        }
    }

    private static func start<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value,
        _ answer: Answer<Value>
    ) {
        let thread = Thread { answer.give(Result { try body() }) }
        thread.name = "secrets"
        thread.start()
    }

    /// The first one counts.
    private final class Answer<Value: Sendable>: Sendable {
        private let continuation: Mutex<CheckedContinuation<Value, any Error>?>

        init(_ continuation: CheckedContinuation<Value, any Error>) {
            self.continuation = Mutex(continuation)
        }

        func give(_ result: Result<Value, any Error>) {
            let taken = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            taken?.resume(with: result)
        }
    }
}
