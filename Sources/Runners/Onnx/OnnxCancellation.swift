import COnnxRuntime
import Synchronization

/// Stops runs from any thread. One handle may be given to several runs, at once or in turn, and stops them
/// all: a run that has begun ends before its next operator (inside a loop too), one that begins later at
/// once. Both throw `.cancelled`. It cannot be reset.
public final class OnnxCancellation: Sendable {
    private struct State {
        var isCancelled = false
        var running: [RunOptions] = []
    }

    private let state = Mutex(State())

    public init() {}

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Returns at once, without waiting for the runs to end.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            for options in state.running { options.terminate() }
        }
    }

    /// How many runs can be stopped at this moment.
    var runningCount: Int { state.withLock { $0.running.count } }

    /// False where it is too late to begin. What was attached must be detached before it is released.
    func attach(_ options: RunOptions) -> Bool {
        state.withLock { state in
            guard !state.isCancelled else { return false }
            state.running.append(options)
            return true
        }
    }

    func detach(_ options: RunOptions) {
        state.withLock { $0.running.removeAll { $0.pointer == options.pointer } }
    }
}

/// The options of one run, through which it is stopped.
// @unchecked: ONNX Runtime allows the terminate call on any thread while the run goes on, and the lock of
// `OnnxCancellation` keeps it from being made after the release.
struct RunOptions: @unchecked Sendable {
    let api: OnnxAPI
    let pointer: OpaquePointer

    func terminate() {
        api.ignore(ort_terminate(api.table, pointer))
    }
}
