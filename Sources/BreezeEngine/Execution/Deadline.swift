import BreezeCore

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
