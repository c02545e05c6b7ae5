import Synchronization

/// A clock on which every sleep ends when a test says so, told apart by how long it is.
final class StepClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let id: Int
        let duration: Duration
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var nextID = 0
        /// Those who wait for a sleep of that length.
        var watchers: [(duration: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let (id, duration) = state.withLock { state in
            state.nextID += 1
            return (state.nextID, state.now.duration(to: deadline))
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                    if Task.isCancelled { return nil }
                    state.sleepers.append(Sleeper(id: id, duration: duration, continuation: continuation))
                    let woken = state.watchers.filter { $0.duration == duration }
                    state.watchers.removeAll { $0.duration == duration }
                    return woken.map(\.continuation)
                }
                guard let watchers else { return continuation.resume(throwing: CancellationError()) }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper: Sleeper? = state.withLock { state in
                state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Ends a sleep of exactly that length, as soon as somebody sleeps so long; time passes for all.
    func pass(_ duration: Duration) async {
        while true {
            let sleeper: Sleeper? = state.withLock { state in
                let index = state.sleepers.firstIndex { $0.duration == duration }
                guard let index else { return nil }
                state.now = state.now.advanced(by: duration)
                return state.sleepers.remove(at: index)
            }
            if let sleeper { return sleeper.continuation.resume() }
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.sleepers.contains(where: { $0.duration == duration }) { return true }
                    state.watchers.append((duration, continuation))
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }

    /// Time passes, and nobody wakes.
    func advance(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: duration) }
    }
}
