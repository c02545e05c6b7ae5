import BreezeCore
import Synchronization

/// A value that arrives once; later ones are dropped.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, any Error>)
        case settled(Result<Value, any Error>)
    }

    private let state = Mutex(State.empty)

    func settle(_ result: Result<Value, any Error>) {
        let waiting: CheckedContinuation<Value, any Error>? = state.withLock { state in
            switch state {
            case .settled: return nil
            case .empty:
                state = .settled(result)
                return nil
            case .waiting(let continuation):
                state = .settled(result)
                return continuation
            }
        }
        waiting?.resume(with: result)
    }

    var value: Value {
        get async throws {
            try await withCheckedThrowingContinuation { continuation in
                let settled: Result<Value, any Error>? = state.withLock { state in
                    if case .settled(let result) = state { return result }
                    state = .waiting(continuation)
                    return nil
                }
                if let settled { continuation.resume(with: settled) }
            }
        }
    }
}

extension Task where Failure == any Error {
    /// The task's value, but no longer than the caller itself is wanted: a cancelled caller gets its
    /// `CancellationError` at once, whatever the task does.
    var valueUnlessCancelled: Success {
        get async throws {
            let outcome = OneShot<Success>()
            Task<Void, Never> { outcome.settle(await self.result) }
            return try await withTaskCancellationHandler {
                try await outcome.value
            } onCancel: {
                outcome.settle(.failure(_Concurrency.CancellationError()))
            }
        }
    }
}

/// Runs `operation` and gives up when what is `left` of the `limit` is over: the work is cancelled, and the caller
/// does not wait for it to notice.
func withDeadline<Value: Sendable>(
    _ left: Duration,
    of limit: Duration,
    clock: EngineClock,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let work = Task { try await operation() }
    let outcome = OneShot<Value>()
    let timer = Task {
        try await clock.sleep(left)
        outcome.settle(.failure(BreezeError.timedOut(after: limit)))
        work.cancel()
    }
    Task<Void, Never> { outcome.settle(await work.result) }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
        try await outcome.value
    } onCancel: {
        work.cancel()
        outcome.settle(.failure(CancellationError()))
    }
}

extension BreezeError {
    static func timedOut(after limit: Duration) -> BreezeError {
        BreezeError(
            .timeout,
            "The request took longer than the \(limit.seconds) s that it was given.",
            remedy: "Give it a larger timeout, or ask for less."
        )
    }
}
