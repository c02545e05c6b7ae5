/// Work and the value that its caller waits for. Where it is cancelled, the caller does not wait for the work
/// to notice.
package struct DetachableWork<Value: Sendable>: Sendable {
    private let task: Task<Void, Never>
    private let outcome = OneShot<Value>()

    /// `ended` is called when the work itself has ended, which may be after its caller went away.
    package init(
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
    package var value: Value {
        get async throws {
            try await withTaskCancellationHandler {
                try await outcome.value
            } onCancel: {
                cancel()
            }
        }
    }

    /// The caller gets `error` at once, unless the value was there first.
    package func cancel(throwing error: any Error = CancellationError()) {
        outcome.settle(.failure(error))
        task.cancel()
    }
}
