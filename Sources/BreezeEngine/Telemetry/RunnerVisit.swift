import BreezeCore
import Synchronization

/// One request at one runner, from the moment that the runner gets it.
final class RunnerVisit: Sendable {
    private struct State {
        var started: Duration?
        var firstChunk: Duration?
        var chunks = 0
    }

    private let runner: String
    private let telemetry: Telemetry
    /// Kept, since a runner may send its chunks from a thread of its own.
    private let request = Telemetry.request
    private let state = Mutex(State())

    init(_ runner: String, _ telemetry: Telemetry) {
        self.runner = runner
        self.telemetry = telemetry
    }

    /// The runner gets the request `now`, after it waited for a place and for the load.
    func started(_ now: Duration, queue: Duration, load: Duration) {
        state.withLock { $0.started = now }
        telemetry.metrics.observe(.queue, queue, runner: runner)
        request?.note(.started, runner: runner, duration: queue + load)
    }

    /// When the first piece of the answer came; on the engine's clock.
    var firstChunk: Duration? { state.withLock { $0.firstChunk } }

    /// The runner sent a piece of its answer.
    func sentChunk() {
        let isFirst = state.withLock { state in
            state.chunks += 1
            return state.chunks == 1
        }
        guard isFirst else { return }
        let now = telemetry.clock.now()
        let started = state.withLock { state in
            state.firstChunk = now
            return state.started ?? now
        }
        telemetry.metrics.observe(.firstChunk, now - started, runner: runner)
        request?.note(.firstChunk, runner: runner, duration: now - started)
    }

    /// The runner has answered, and the times of its work stand in `result`.
    func answered(_ result: inout InferenceResult) {
        let chunks = state.withLock { $0.chunks }
        result.timings.noteGeneration(of: result.usage, isPiecewise: chunks > 1)
        telemetry.metrics.observe(.run, .seconds(result.timings.run), runner: runner)
    }
}
