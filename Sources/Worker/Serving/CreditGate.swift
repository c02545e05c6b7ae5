import Synchronization

/// Holds a runner back until its reader has room.
final class CreditGate: Sendable {
    private struct State {
        var credit: Int
        var waiters: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var nextID = 0
    }

    private let state: Mutex<State>

    init(_ credit: Int) {
        state = Mutex(State(credit: credit))
    }

    func grant(_ count: Int) {
        let woken = state.withLock { state in
            let woken = state.waiters.prefix(count)
            state.waiters.removeFirst(woken.count)
            // Nobody needs more than this; a hostile count must not overflow.
            state.credit = min(state.credit + count - woken.count, 1 << 32)
            return woken
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    /// Waits until one more may be sent.
    func take() async throws {
        let id = state.withLock { state -> Int? in
            if state.credit > 0, state.waiters.isEmpty {
                state.credit -= 1
                return nil
            }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.credit > 0 {
                        state.credit -= 1
                        return .success(())
                    }
                    state.waiters.append((id, continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0).continuation }
            }
            waiter?.resume(throwing: CancellationError())
        }
    }
}
