#if Hub
import Synchronization

/// Hands each change to everybody who listens. Nothing is left out: a lost revocation would let a request run
/// on.
final class ChangeBroadcast: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<AccessChange>.Continuation] = [:]
        var next = 0
        var isOver = false
    }

    private let state = Mutex(State())

    /// From now on, until ``finish()``.
    func listen() -> AsyncStream<AccessChange> {
        let (stream, continuation) = AsyncStream<AccessChange>.makeStream()
        let id = state.withLock { state -> Int? in
            guard !state.isOver else { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            return state.next
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    func send(_ changes: [AccessChange]) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for change in changes {
            for listener in listeners { listener.yield(change) }
        }
    }

    func finish() {
        let listeners = state.withLock { state in
            defer {
                state.listeners = [:]
                state.isOver = true
            }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
#endif
