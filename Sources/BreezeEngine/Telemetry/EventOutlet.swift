import Synchronization

/// Hands events to any number of subscribers, each with a buffer of its own: one that is slow loses its oldest
/// events and holds nobody back.
final class EventOutlet: Sendable {
    private struct State {
        var subscribers: [Int: AsyncStream<EngineEvent>.Continuation] = [:]
        var nextID = 0
        var number = 0
        var dropped = 0
    }

    private let state = Mutex(State())
    /// Beside the state, so that an event that nobody wants takes no lock.
    private let count = Atomic(0)

    var isWanted: Bool { count.load(ordering: .relaxed) > 0 }

    var subscribers: Int { count.load(ordering: .relaxed) }

    /// Events that a subscriber was too slow for, over all of them.
    var dropped: Int { state.withLock { $0.dropped } }

    func subscribe(buffering capacity: Int) -> AsyncStream<EngineEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: EngineEvent.self,
            bufferingPolicy: .bufferingNewest(max(1, capacity))
        )
        let id = state.withLock { state in
            state.nextID += 1
            state.subscribers[state.nextID] = continuation
            count.store(state.subscribers.count, ordering: .relaxed)
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in self?.unsubscribe(id) }
        return stream
    }

    private func unsubscribe(_ id: Int) {
        // Released outside the lock.
        let gone = state.withLock { state in
            let gone = state.subscribers.removeValue(forKey: id)
            count.store(state.subscribers.count, ordering: .relaxed)
            return gone
        }
        _ = gone
    }

    /// `make` gets the event's number. It is called under the lock, so that numbers, times and the order of
    /// arrival agree.
    func send(_ make: (Int) -> EngineEvent) {
        state.withLock { state in
            guard !state.subscribers.isEmpty else { return }
            state.number += 1
            let event = make(state.number)
            for subscriber in state.subscribers.values {
                if case .dropped = subscriber.yield(event) { state.dropped += 1 }
            }
        }
    }

    deinit {
        for subscriber in state.withLock({ $0.subscribers }).values { subscriber.finish() }
    }
}
