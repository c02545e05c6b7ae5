import BreezeCore
import Logging
import Synchronization

extension Engine {
    /// The one entry point of `run` and `stream`: the work is a task of its own, so that `cancel(_:)` finds
    /// it, and ends with its caller.
    func execute(_ request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let trace = RequestTrace(request, telemetry)
        let begun = try begin(request, trace, sink)
        return try await trace.outcome { try await begun.value }
    }

    // What juggles with requests and results stands apart from the functions that wait for the answer, here and below:
    // their frames stay in memory for as long as it grows, and a thousand streams have a thousand of each.
    @inline(never)
    private func begin(
        _ request: InferenceRequest,
        _ trace: RequestTrace,
        _ sink: ChunkSink
    ) throws -> DetachableWork<InferenceResult> {
        try running.withLock { running in
            guard running[request.id] == nil else {
                throw BreezeError(
                    .invalidRequest,
                    "A request with the id \(request.id) is running already.",
                    remedy: "Give each request an id of its own."
                )
            }
            let begun = DetachableWork {
                try await trace.follow {
                    do {
                        let result = try await self.answer(request, into: sink)
                        self.telemetry.recordVerdicts(on: result)
                        return result
                    } catch {
                        self.telemetry.recordBlock(error)
                        throw error
                    }
                }
            } ended: {
                self.running.withLock { $0[request.id] = nil }
            }
            running[request.id] = begun
            return begun
        }
    }

    private func answer(_ request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let errand = try await errand(request)
        var decision = errand.decision
        for slot in errand.slots {
            decision.chosen = slot.runner.id
            let attempt = attempt(errand, at: slot, sink)
            do {
                let result = try await run(attempt)
                return concluded(result, of: attempt, decision)
            } catch {
                decision.failures.append(try failure(of: attempt, error))
            }
        }
        throw decision.failures.isEmpty ? decision.noRunner : decision.allFailed
    }

    /// Routed, and its input checked.
    @inline(never)
    private func errand(_ request: InferenceRequest) async throws -> Errand {
        let arrival = clock.now()
        try request.validate()
        let settings = try settings.current()
        let route = try await route(request, settings: settings)
        let guardian = try await guardianPass(for: request, settings: settings)
        return Errand(route, guardian, settings, arrival)
    }

    @inline(never)
    private func attempt(_ errand: Errand, at slot: RunnerSlot, _ sink: ChunkSink) -> Attempt {
        let id = slot.runner.id
        logger.debug("\(errand.guardian.request.capability) goes to \(id)")
        telemetry.record(.routed, runner: id)
        return Attempt(errand, slot: slot, visit: RunnerVisit(id, telemetry), output: AnswerSink(sink))
    }

    @inline(never)
    private func concluded(
        _ result: InferenceResult,
        of attempt: Attempt,
        _ decision: RoutingDecision
    ) -> InferenceResult {
        var result = result
        attempt.guardian.conclude(&result)
        result.routing = decision
        result.timings.total = (clock.now() - attempt.arrival).seconds
        if let notice = decision.fallbackNotice { result.notices.append(notice) }
        result.notices += (result.parameters?.notices ?? []) + strayNames(in: attempt.settings)
        return result
    }

    /// - Throws: What no other runner's answer mends.
    @inline(never)
    private func failure(of attempt: Attempt, _ error: any Error) throws -> RoutingDecision.Failure {
        // Whatever a runner makes of being cancelled, its caller learns that it was.
        try Task.checkCancellation()
        let failure = BreezeError.ofRunner(error)
        // A half answer that went out is never continued by another runner's.
        guard !attempt.output.hasSent, failure.isRunnersOwn else { throw failure }
        let id = attempt.slot.runner.id
        logger.warning("\(id) failed: \(failure.code.rawValue)")
        telemetry.record(.runnerFailed(failure.code), runner: id)
        attempt.slot.forgetAvailability()
        return RoutingDecision.Failure(runner: id, error: failure)
    }
}

/// One request, from its arrival on: what all runners that try it share.
///
/// A class, for what stands in the frame of a function that waits stays in memory for as long as the answer grows, and
/// a thousand streams have a thousand of them.
private final class Errand: Sendable {
    let decision: RoutingDecision
    /// The runners that may answer, best first.
    let slots: [RunnerSlot]
    let guardian: GuardianPass
    let settings: EngineSettings
    let arrival: Duration

    init(_ route: Engine.Route, _ guardian: GuardianPass, _ settings: EngineSettings, _ arrival: Duration) {
        var decision = route.decision
        decision.guarding = guardian.guarding
        self.decision = decision
        slots = route.slots
        (self.guardian, self.settings, self.arrival) = (guardian, settings, arrival)
    }
}

/// One runner's try at one request.
private final class Attempt: Sendable {
    private let errand: Errand
    let slot: RunnerSlot
    let visit: RunnerVisit
    let output: AnswerSink

    init(_ errand: Errand, slot: RunnerSlot, visit: RunnerVisit, output: AnswerSink) {
        (self.errand, self.slot, self.visit, self.output) = (errand, slot, visit, output)
    }

    /// What the guardian let through.
    var request: InferenceRequest { errand.guardian.request }
    var guardian: GuardianPass { errand.guardian }
    var settings: EngineSettings { errand.settings }
    var arrival: Duration { errand.arrival }
}

/// What a runner gets. Apart from the frames that wait for its answer, as ``Errand`` is.
private final class Prepared: Sendable {
    let request: InferenceRequest
    let report: ParameterReport

    init(_ request: InferenceRequest, _ report: ParameterReport) {
        (self.request, self.report) = (request, report)
    }

    var timeout: Double? { request.configuration.timeout }
}

/// Where the answer goes, and whether any of it went.
private final class AnswerSink: Sendable {
    private let target: ChunkSink
    private let sent = Atomic(false)

    init(_ target: ChunkSink) {
        self.target = target
    }

    var isRead: Bool { target.isRead }
    var hasSent: Bool { sent.load(ordering: .relaxed) }

    var sink: ChunkSink {
        ChunkSink(isRead: isRead) { [self] chunk in
            if isRead, chunk.isAnswer { sent.store(true, ordering: .relaxed) }
            try await target.send(chunk)
        }
    }
}

extension Engine {
    @inline(never)
    private func run(_ attempt: Attempt) async throws -> InferenceResult {
        let prepared = try prepared(attempt)
        guard let timeout = prepared.timeout else { return try await perform(attempt, prepared) }
        return try await perform(attempt, prepared, within: .seconds(timeout))
    }

    private func perform(
        _ attempt: Attempt,
        _ prepared: Prepared,
        within limit: Duration
    ) async throws -> InferenceResult {
        let left = limit - (clock.now() - attempt.arrival)
        guard left > .zero else { throw BreezeError.timedOut(after: limit) }
        return try await withDeadline(left, of: limit, clock: clock) {
            try await self.perform(attempt, prepared)
        }
    }

    /// What the runner gets: the parameters that are in force, and nothing that is the engine's own.
    @inline(never)
    private func prepared(_ attempt: Attempt) throws -> Prepared {
        let resolver = attempt.slot.resolver(attempt.settings)
        let (configuration, report) = try resolver.resolve(attempt.request.configuration)
        var request = attempt.request
        request.configuration = configuration
        request.streamingCallback = nil
        return Prepared(request, report)
    }

    /// Waits for a place, loads, runs.
    private func perform(_ attempt: Attempt, _ prepared: Prepared) async throws -> InferenceResult {
        let queued = clock.now()
        let watcher = attempt.output.isRead ? attempt.output.sink : nil
        return try await withPlace(in: attempt.slot.gate, attempt.settings, prepared.request, watcher) {
            try await self.perform(attempt, prepared, queued: queued, watcher)
        }
    }

    private func perform(
        _ attempt: Attempt,
        _ prepared: Prepared,
        queued: Duration,
        _ watcher: ChunkSink?
    ) async throws -> InferenceResult {
        let times = try await prepare(attempt, prepared, queued: queued, watcher)
        defer { attempt.slot.release() }
        let result = try await answered(attempt, prepared)
        return try noted(result, of: attempt, prepared, times)
    }

    private func answered(_ attempt: Attempt, _ prepared: Prepared) async throws -> InferenceResult {
        try checkPrivacy(of: attempt.slot.runner, for: prepared.request)
        return try await attempt.guardian.answer(
            of: attempt.slot.runner,
            to: prepared.request,
            into: attempt.output.sink,
            hear: attempt.visit.sentChunk
        )
    }

    /// The runner is loaded, and stays so until it is released.
    @inline(never)
    private func prepare(
        _ attempt: Attempt,
        _ prepared: Prepared,
        queued: Duration,
        _ watcher: ChunkSink?
    ) async throws -> Times {
        let admitted = clock.now()
        try checkPrivacy(of: attempt.slot.runner, for: prepared.request)
        try await acquire(attempt.slot, for: prepared.request, attempt.settings, watcher)
        let times = Times(queued: queued, admitted: admitted, loaded: clock.now())
        attempt.visit.started(times.loaded, queue: times.queue, load: times.load)
        return times
    }

    @inline(never)
    private func noted(
        _ result: InferenceResult,
        of attempt: Attempt,
        _ prepared: Prepared,
        _ times: Times
    ) throws -> InferenceResult {
        try Task.checkCancellation()
        var result = result
        result.timings.queue = times.queue.seconds
        result.timings.load = times.load.seconds
        result.timings.firstChunk = attempt.visit.firstChunk.map { ($0 - times.loaded).seconds }
        result.timings.run = (clock.now() - times.loaded).seconds
        result.parameters = prepared.report
        attempt.visit.answered(&result)
        return result
    }
}

/// When a request came to a runner's gate, passed it, and found the runner loaded.
private struct Times {
    let queued: Duration
    let admitted: Duration
    let loaded: Duration

    var queue: Duration { admitted - queued }
    var load: Duration { loaded - admitted }
}

extension ParameterReport {
    /// What a caller asked for and did not get.
    fileprivate var notices: [String] {
        entries.flatMap { entry in
            entry.events.filter { $0.kind != .overridden }.map { event in
                "The parameter \(entry.name) was \(event.kind.rawValue): \(event.reason)."
            }
        }
    }
}

extension RoutingDecision {
    fileprivate var fallbackNotice: String? {
        guard let chosen, !failures.isEmpty else { return nil }
        let failed = failures.map { "\($0.runner) failed (\($0.error.message))" }
        return "\(failed.joined(separator: ", ")), so \(chosen) answered."
    }

    /// The last failure, which names the others where there were any.
    fileprivate var allFailed: BreezeError {
        guard let last = failures.last else { return noRunner }
        guard failures.count > 1 else { return last.error }
        let all = failures.map { "\($0.runner): \($0.error.message)" }
        return BreezeError(
            last.error.code,
            "Every runner that may answer failed (\(all.joined(separator: "; "))).",
            remedy: last.error.remedy,
            retryAfter: last.error.retryAfter,
            underlying: last.error
        )
    }
}
