import BreezeCore
import Logging

extension Engine {
    /// Runs `body` in a place of the gate. `watcher` hears while the request waits for one: how many turns of
    /// those that were before it when it came are over, and how many there were.
    func withPlace(
        in gate: RunnerGate,
        _ settings: EngineSettings,
        _ request: InferenceRequest,
        _ watcher: ChunkSink?,
        _ body: () async throws -> InferenceResult
    ) async throws -> InferenceResult {
        let ticket = try await enter(gate, settings, request, watcher)
        let begun = clock.now()
        do {
            let result = try await withTaskCancellationHandler {
                try Task.checkCancellation()
                return try await body()
            } onCancel: {
                gate.callerLeft(ticket, clock: clock) { [logger] in
                    logger.warning("\(gate.runner) goes on with a cancelled run, whose place stays taken")
                }
            }
            gate.leave(ticket, after: .seconds(result.timings.run), isWhole: true)
            return result
        } catch {
            gate.leave(ticket, after: clock.now() - begun)
            throw error
        }
    }

    // Not within its caller, whose frame each answer keeps while it grows.
    @inline(never)
    private func enter(
        _ gate: RunnerGate,
        _ settings: EngineSettings,
        _ request: InferenceRequest,
        _ watcher: ChunkSink?
    ) async throws -> RunnerGate.Ticket {
        try await gate.enter(
            priority: request.priority,
            client: request.client,
            limits: settings.admissionLimits,
            onWait: watcher.map { Self.report(to: $0, for: request.id) }
        )
    }

    private static func report(to watcher: ChunkSink, for id: String) -> RunnerGate.PositionReport {
        { position, first in
            try await watcher.send(progress(id, "waiting", completed: first - position, total: first))
        }
    }

    private static func progress(
        _ id: String,
        _ stage: String,
        completed: Int,
        total: Int
    ) -> InferenceChunk {
        let progress = InferenceChunk.Progress(stage: stage, completed: completed, total: total)
        return InferenceChunk(requestID: id, .progress(progress))
    }

    /// Returns when the runner is loaded. `watcher` hears how far the load is that is about to begin, or that is
    /// somebody else's and under way.
    func acquire(
        _ slot: RunnerSlot,
        for request: InferenceRequest,
        _ settings: EngineSettings,
        _ watcher: ChunkSink?
    ) async throws {
        guard let watcher, !slot.isLoaded else {
            return try await slot.acquire(for: request, settings)
        }
        let steps = slot.loadFollowers.steps()
        try await watcher.send(Self.progress(request.id, "loading", completed: 0, total: 1))
        try await withThrowingTaskGroup { group in
            group.addTask {
                for await step in steps {
                    try await watcher.send(InferenceChunk(requestID: request.id, .progress(step)))
                }
            }
            try await slot.acquire(for: request, settings)
            group.cancelAll()
        }
    }
}

extension EngineSettings {
    /// How many may wait for one runner.
    var admissionLimits: AdmissionQueue.Limits {
        var limits = AdmissionQueue.Limits()
        if let most = tree["scheduling", "queueLimit"]?.intValue { limits.queue = most }
        if let most = tree["scheduling", "clientLimit"]?.intValue { limits.client = most }
        return limits
    }
}
