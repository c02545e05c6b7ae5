import BreezeCore

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
