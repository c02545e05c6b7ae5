import BreezeCore
import Synchronization

/// A clock on which every sleep is over at once; it remembers how long they would have been.
final class RecordingClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let state = Mutex<(now: Instant, sleeps: [Duration])>((Instant(offset: .zero), []))

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }
    var sleeps: [Duration] { state.withLock { $0.sleeps } }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        state.withLock { state in
            state.sleeps.append(state.now.duration(to: deadline))
            state.now = max(state.now, deadline)
        }
    }
}

/// Keeps the chunks that a runner sends.
final class Collector: Sendable {
    private let chunks = Mutex<[InferenceChunk]>([])

    var all: [InferenceChunk] { chunks.withLock { $0 } }
    var texts: [String] { all.compactMap(\.text) }
    var sink: ChunkSink { ChunkSink { chunk in self.chunks.withLock { $0.append(chunk) } } }
}
