import Synchronization

/// A start that several callers wait for. Each may stop waiting; when nobody is left, the start is given up.
final class WorkerStart: Sendable {
    private struct State {
        var waiters: [Int: CheckedContinuation<Void, any Error>] = [:]
        var nextID = 0
        var outcome: Result<Void, any Error>?
        var task: Task<Void, Never>?
        var isGivenUp = false
    }

    private let state = Mutex(State())

    /// The work, which calls ``finish(_:)``. To be called once.
    func begin(_ work: @escaping @Sendable () async -> Void) {
        let task = Task { await work() }
        let isGivenUp = state.withLock { state in
            state.task = task
            return state.isGivenUp
        }
        if isGivenUp { task.cancel() }
    }

    func finish(_ outcome: Result<Void, any Error>) {
        let waiters = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(with: outcome) }
    }

    /// Cancels the work and waits until it is over; those who wait for it get `error` at once.
    func giveUp(throwing error: any Error) async {
        finish(.failure(error))
        let task = state.withLock { state in
            state.isGivenUp = true
            return state.task
        }
        task?.cancel()
        await task?.value
    }

    func wait() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if let outcome = state.outcome { return outcome }
                    state.waiters[id] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
                // Cancelled before it waited: its handler found nobody.
                if Task.isCancelled { leave(id) }
            }
        } onCancel: {
            leave(id)
        }
    }

    private func leave(_ id: Int) {
        typealias Left = (waiter: CheckedContinuation<Void, any Error>?, task: Task<Void, Never>?)
        let (waiter, task) = state.withLock { state -> Left in
            guard let waiter = state.waiters.removeValue(forKey: id) else { return (nil, nil) }
            guard state.waiters.isEmpty else { return (waiter, nil) }
            state.isGivenUp = true
            return (waiter, state.task)
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }
}
