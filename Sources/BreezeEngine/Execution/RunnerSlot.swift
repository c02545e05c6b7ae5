import BreezeCore

/// One registered runner: loads it, and makes sure that two callers never load it twice, that a load never
/// overlaps with an unload, and that it is not unloaded under a run.
actor RunnerSlot {
    private enum State {
        case idle
        case loading(Task<Void, any Error>)
        case loaded
        /// Begun, but it waits for the runs in progress.
        case unloading(Task<Void, any Error>)
    }

    nonisolated let runner: any Runner
    /// Admits as many runs at a time as the runner declares.
    nonisolated let gate: RunnerGate
    /// Names it in the account of memory.
    nonisolated let number: Int
    nonisolated let loadFollowers = LoadFollowers()
    private let residency: Residency
    private let telemetry: Telemetry
    private var state = State.idle
    private var uses = 0
    private var whenUnused: [CheckedContinuation<Void, Never>] = []
    private var isRetired = false
    private var knownAvailability: Availability?
    /// Counts the times that the known availability was forgotten.
    private var changes = 0

    init(_ runner: any Runner, residency: Residency, telemetry: Telemetry) {
        self.runner = runner
        self.residency = residency
        self.telemetry = telemetry
        number = residency.newNumber()
        gate = RunnerGate(runner: runner.id, width: runner.concurrency)
    }

    var isLoaded: Bool {
        if case .loaded = state { true } else { false }
    }

    /// Whether it has the memory that it needs, or is just taking it.
    var holdsMemory: Bool {
        switch state {
        case .idle: false
        case .loading, .loaded, .unloading: true
        }
    }
}

// MARK: - Loading

extension RunnerSlot {
    /// Returns when the runner is loaded; it stays so until ``release()``. A caller that is cancelled stops
    /// waiting; the load goes on for the others.
    func acquire(for request: InferenceRequest, _ settings: EngineSettings) async throws {
        try await acquire(keepAlive: settings.keepAlive(of: runner, asked: request.configuration.keepAlive))
    }

    /// `keepAlive` begins when the last use has ended; `nil` is for ever.
    func acquire(keepAlive: Duration?) async throws {
        residency.expect(number)
        defer { residency.unexpect(number) }
        while true {
            if isRetired {
                throw BreezeError(
                    .unavailable,
                    "\(runner.id) was taken out while the request waited for it.",
                    remedy: "Send the request again."
                )
            }
            switch state {
            case .loaded where residency.beginUse(number, keepAlive: keepAlive):
                uses += 1
                return
            case .loaded: beginUnloading(.evicted)
            case .loading(let work), .unloading(let work): try await work.valueUnlessCancelled
            case .idle: try await startLoading().valueUnlessCancelled
            }
        }
    }

    func release() {
        uses -= 1
        residency.endUse(number)
        guard uses == 0 else { return }
        for waiter in whenUnused { waiter.resume() }
        whenUnused = []
    }

    private func startLoading() -> Task<Void, any Error> {
        let load = Task {
            do {
                try await residency.admit(self)
                try await telemetry.recordLoad(of: runner) { [loadFollowers] in loadFollowers.tell($0) }
                residency.loaded(number)
                state = .loaded
            } catch {
                residency.failed(number)
                state = .idle  // a failed load may be tried again
                throw error
            }
        }
        state = .loading(load)
        return load
    }

    /// Gives the runner's memory back once its last run has ended.
    func unload(_ reason: Occurrence.UnloadReason = .request) async {
        while true {
            switch state {
            case .idle: return
            case .loading(let load): _ = await load.result
            case .unloading(let unload):
                _ = await unload.result
                return
            case .loaded: beginUnloading(reason)
            }
        }
    }

    /// Called when the residency has taken it away from everybody. Somebody may have come first who found it
    /// so: then it was unloaded already, and may have been loaded anew.
    func leave(_ reason: Occurrence.UnloadReason) async {
        if case .loaded = state, residency.isLeaving(number) { beginUnloading(reason) }
        if case .unloading(let unload) = state { _ = await unload.result }
    }

    private func beginUnloading(_ reason: Occurrence.UnloadReason) {
        state = .unloading(Task { await self.finishUnloading(reason) })
    }

    private func finishUnloading(_ reason: Occurrence.UnloadReason) async {
        if uses > 0 { await withCheckedContinuation { whenUnused.append($0) } }
        residency.unloading(number)
        await runner.unload()
        returnFreedMemory()
        state = .idle
        residency.unloaded(number)
        telemetry.record(.unloaded(reason, bytes: runner.memoryEstimate), runner: runner.id)
    }

    /// Unloads it for good: nobody gets it any more.
    func retire() async {
        isRetired = true
        await unload(.removed)
    }
}

// MARK: - Availability

extension RunnerSlot {
    /// Asked for once, and kept until something changes.
    func availability() async -> Availability {
        if let knownAvailability { return knownAvailability }
        let asked = changes
        let found = await runner.availability()
        // What changed meanwhile may have changed this too.
        if asked == changes { knownAvailability = found }
        return found
    }

    func forgetAvailability() {
        knownAvailability = nil
        changes += 1
    }
}
