import BreezeCore
import Synchronization

/// Those who want to hear how far a runner's load is. Whoever is slow hears of the newest step alone.
final class LoadFollowers: Sendable {
    private struct State {
        var followers: [Int: AsyncStream<InferenceChunk.Progress>.Continuation] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// The steps from now on, whichever load they belong to, until its reader leaves.
    func steps() -> AsyncStream<InferenceChunk.Progress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let id = state.withLock { state in
                state.count += 1
                state.followers[state.count] = continuation
                return state.count
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in _ = state.followers.removeValue(forKey: id) }
            }
        }
    }

    func tell(_ step: InferenceChunk.Progress) {
        // Outside the lock: a follower that leaves takes it.
        for follower in state.withLock({ Array($0.followers.values) }) { follower.yield(step) }
    }
}
