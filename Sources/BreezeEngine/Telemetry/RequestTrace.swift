import BreezeCore
import Synchronization

/// One request as telemetry sees it, from its arrival to what its caller got.
final class RequestTrace: Sendable {
    private struct State {
        /// The runner that was tried last.
        var runner: String?
        var wasBlocked = false
        var isOpen = true
    }

    let id: String
    let capability: AICapability
    private let telemetry: Telemetry
    private let arrival: Duration
    private let state = Mutex(State())

    init(_ request: InferenceRequest, _ telemetry: Telemetry) {
        id = request.id
        capability = request.capability
        self.telemetry = telemetry
        arrival = telemetry.clock.now()
    }

    /// Runs `work` so that what it records is recorded of this request.
    func follow<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
        try await Telemetry.$request.withValue(self, operation: work)
    }

    /// A request's last event stays the last. What comes after it, from a runner that ignores being cancelled,
    /// makes no event; a load that others wait for makes one without the request.
    /// Where no `runner` is given, it is the one that the request was routed to last.
    func note(_ occurrence: Occurrence, runner: String? = nil) {
        state.withLock { state in
            guard state.isOpen else {
                guard occurrence.outlivesRequest else { return }
                return telemetry.emit(occurrence.kind) { occurrence.describe(&$0, runner: runner) }
            }
            switch occurrence {
            case .routed: state.runner = runner
            case .guarded(.blocked, _): state.wasBlocked = true
            default: break
            }
            telemetry.emit(occurrence.kind, of: self) { event in
                occurrence.describe(&event, runner: runner ?? state.runner)
                if case .routed = occurrence { event.duration = sinceArrival }
            }
        }
    }

    func note(_ kind: EngineEvent.Kind, runner: String, duration: Duration) {
        state.withLock { state in
            guard state.isOpen else { return }
            telemetry.emit(kind, of: self) { event in
                event.runner = runner
                event.duration = duration.seconds
            }
        }
    }

    private var sinceArrival: Double { (telemetry.clock.now() - arrival).seconds }
}

// MARK: - The end

extension RequestTrace {
    /// Notes what `answer` comes to for the caller, who does not wait for a runner that ignores being cancelled.
    func outcome(_ answer: () async throws -> InferenceResult) async throws(BreezeError) -> InferenceResult {
        do {
            let result = try await answer()
            finished(result)
            return result
        } catch {
            let failure = BreezeError.wrapping(error)
            failed(failure)
            throw failure
        }
    }

    private func finished(_ result: InferenceResult) {
        let wasBlocked = result.finishReason == .contentFilter
        close(wasBlocked ? .blocked : .finished, .finished) { event in
            event.timings = result.timings
            event.usage = result.usage
        }
        guard let runner = state.withLock({ $0.runner }) else { return }
        telemetry.metrics.count(result.usage, runner: runner, capability: capability)
    }

    private func failed(_ error: BreezeError) {
        if error.code == .cancelled { return close(.cancelled, .cancelled) { _ in } }
        close(.failed, .failed, code: error.code) { event in event.reason = error.code.rawValue }
    }

    private func close(
        _ outcome: RequestOutcome,
        _ kind: EngineEvent.Kind,
        code: BreezeError.Code? = nil,
        _ describe: (inout EngineEvent) -> Void
    ) {
        state.withLock { state in
            guard state.isOpen else { return }
            state.isOpen = false
            let outcome = outcome == .failed && state.wasBlocked ? .blocked : outcome
            telemetry.metrics.count(outcome, code, runner: state.runner, capability: capability)
            telemetry.emit(kind, of: self) { event in
                event.runner = state.runner
                event.duration = sinceArrival
                if state.runner == nil, !capability.isStandard { event.capability = nil }
                describe(&event)
            }
        }
    }
}

extension AICapability {
    /// Until a runner was found for it, another capability is only what a client wrote.
    var isStandard: Bool { Self.standard.contains(self) }
}

/// How a request ended, as the metrics tell it.
enum RequestOutcome: String, Sendable {
    case finished, failed, cancelled
    /// By a guardian.
    case blocked
}
