import Synchronization

/// The continuous clock for many sleepers: one timer of the system wakes all that are due in the same
/// millisecond, where each sleep of `ContinuousClock` sets one of its own.
public final class SharedClock: Clock, Sendable {
    public typealias Instant = ContinuousClock.Instant

    private struct Sleeper {
        let id: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var count = 0
        /// By the millisecond in which they are due.
        var sleepers: [Int: [Sleeper]] = [:]
        var timer: Task<Void, Never>?
        /// The millisecond that the timer waits for.
        var wakes = Int.max
    }

    private let start = ContinuousClock.now
    private let state = Mutex(State())

    public init() {}

    public var now: Instant { .now }
    public var minimumResolution: Duration { .milliseconds(1) }

    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let due = milliseconds(until: deadline)
        let id = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.sleepers[due, default: []].append(Sleeper(id: id, continuation: continuation))
                    if due < state.wakes { wake(&state, in: due) }
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let place = state.sleepers[due]?.firstIndex(where: { $0.id == id }) else { return nil }
                return state.sleepers[due]?.remove(at: place)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// The first whole millisecond that is not before it.
    private func milliseconds(until instant: Instant) -> Int {
        -Int((instant.duration(to: start) / .milliseconds(1)).rounded(.down))
    }

    private func wake(_ state: inout State, in due: Int) {
        state.timer?.cancel()
        state.wakes = due
        state.timer = Task { [self] in
            guard (try? await ContinuousClock().sleep(until: start + .milliseconds(due))) != nil else {
                return
            }
            wakeThoseDue()
        }
    }

    private func wakeThoseDue() {
        // Rounded down, so that nobody wakes too early.
        let now = Int(start.duration(to: .now) / .milliseconds(1))
        let due = state.withLock { state in
            let times = state.sleepers.keys.filter { $0 <= now }.sorted()
            let due = times.compactMap { state.sleepers.removeValue(forKey: $0) }
            state.wakes = .max
            if let next = state.sleepers.keys.min() { wake(&state, in: next) }
            return due
        }
        for sleeper in due.joined() { sleeper.continuation.resume() }
    }
}
