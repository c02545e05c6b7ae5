import BreezeCore

/// A request that was begun: its work, and the answer that its caller waits for. A caller who cancels does not wait for
/// the work to notice.
struct RunningRequest: Sendable {
    private let work: Task<Void, Never>
    private let outcome = OneShot<InferenceResult>()

    /// `ended` is called when the work itself has ended, which may be after its caller went away.
    init(
        _ operation: @escaping @Sendable () async throws -> InferenceResult,
        ended: @escaping @Sendable () -> Void
    ) {
        let outcome = outcome
        work = Task {
            let result: Result<InferenceResult, any Error>
            do { result = .success(try await operation()) } catch { result = .failure(error) }
            // Before the answer is out, so that its receiver may use the id again at once.
            ended()
            outcome.settle(result)
        }
    }

    var value: InferenceResult {
        get async throws {
            try await withTaskCancellationHandler {
                try await outcome.value
            } onCancel: {
                cancel()
            }
        }
    }

    func cancel() {
        work.cancel()
        outcome.settle(.failure(CancellationError()))
    }
}
