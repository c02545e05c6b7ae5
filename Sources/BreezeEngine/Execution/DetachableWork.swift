import BreezeCore

/// Work and the value that its caller waits for. Where it is cancelled, the caller does not wait for the work
/// to notice.
struct DetachableWork<Value: Sendable>: Sendable {
    private let task: Task<Void, Never>
    private let outcome = OneShot<Value>()

    /// `ended` is called when the work itself has ended, which may be after its caller went away.
    init(
        _ operation: @escaping @Sendable () async throws -> Value,
        ended: @escaping @Sendable () -> Void = {}
    ) {
        let outcome = outcome
        task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            // Before the value is out, so that its receiver finds the work gone.
            ended()
            outcome.settle(result)
        }
    }

    /// To be asked for once. Cancelling the asking task cancels the work.
    var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await outcome.value
            } onCancel: {
                cancel()
            }
        }
    }

    /// The caller gets `error` at once, unless the value was there first.
    func cancel(throwing error: any Error = CancellationError()) {
        outcome.settle(.failure(error))
        task.cancel()
    }
}

/// Runs `operation` and gives up when what is `left` of the `limit` is over: the work is cancelled, and the
/// caller does not wait for it to notice.
func withDeadline<Value: Sendable>(
    _ left: Duration,
    of limit: Duration,
    clock: EngineClock,
    _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let work = DetachableWork(operation)
    let timer = Task {
        try await clock.sleep(left)
        work.cancel(throwing: BreezeError.timedOut(after: limit))
    }
    defer { timer.cancel() }
    return try await work.value
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
