import BreezeCore
import Synchronization

/// The engine's counters: what is counted here is never reset, and the number of series is bounded whatever
/// the requests are called.
final class MetricStore: Sendable {
    struct State {
        var requests = Series<Int>(["runner", "capability", "outcome"])
        var failures = Series<Int>(["runner", "code"])
        var runnerFailures = Series<Int>(["runner", "code"])
        var inputTokens = Series<Int>(["runner", "capability"])
        var outputTokens = Series<Int>(["runner", "capability"])
        var evictions = Series<Int>(["runner", "reason"])
        var unloads = Series<Int>(["runner", "reason"])
        var verdicts = Series<Int>(["stage", "action"])
        var durations: [Span: Series<Histogram>] = [:]
    }

    /// What the histograms measure.
    enum Span: String, CaseIterable {
        case queue, load, firstChunk, run
    }

    private let state = Mutex(State())

    /// A copy of everything, of one moment.
    var snapshot: State { state.withLock { $0 } }
}

extension MetricStore {
    func count(_ occurrence: Occurrence, runner: String?, capability: AICapability?) {
        let runner = runner ?? Labels.none
        state.withLock { state in
            switch occurrence {
            case .routed, .queued, .loading, .loadProgress: break
            case .loaded(let took, _), .loadFailed(let took, _):
                state.observe(.load, took, runner: runner)
            case .runnerFailed(let code): state.runnerFailures.add(1, Labels(runner, code.rawValue))
            case .guarded(let action, let guarded):
                state.verdicts.add(1, Labels(guarded.stage.rawValue, action.rawValue))
            case .evicted(let reason, _): state.evictions.add(1, Labels(runner, reason.rawValue))
            case .unloaded(let reason, _): state.unloads.add(1, Labels(runner, reason.rawValue))
            }
        }
    }

    /// A request's end. Its `runner` is `nil` where none was chosen.
    func count(
        _ outcome: RequestOutcome,
        _ code: BreezeError.Code?,
        runner: String?,
        capability: AICapability
    ) {
        let capability = runner != nil || capability.isStandard ? capability.rawValue : Labels.other
        let runner = runner ?? Labels.none
        state.withLock { state in
            state.requests.add(1, Labels(runner, capability, outcome.rawValue))
            if let code { state.failures.add(1, Labels(runner, code.rawValue)) }
        }
    }

    func count(_ usage: Usage, runner: String, capability: AICapability) {
        let labels = Labels(runner, capability.rawValue)
        state.withLock { state in
            if usage.inputTokens > 0 { state.inputTokens.add(usage.inputTokens, labels) }
            if usage.outputTokens > 0 { state.outputTokens.add(usage.outputTokens, labels) }
        }
    }

    func observe(_ span: Span, _ duration: Duration, runner: String) {
        state.withLock { $0.observe(span, duration, runner: runner) }
    }

}

extension MetricStore.State {
    fileprivate mutating func observe(_ span: MetricStore.Span, _ duration: Duration, runner: String) {
        durations[span, default: Series(["runner"])].change(Labels(runner), from: Histogram()) {
            $0.observe(duration.seconds)
        }
    }
}
