import BreezeCore
import Synchronization

/// One registered runner: loads it, and makes sure that two callers never load it twice, that a load never
/// overlaps with an unload, and that it is not unloaded under a run.
///
/// A lock and no actor: nearly always it is loaded, and then nobody waits for anything.
final class RunnerSlot: Sendable {
    private enum Phase {
        case idle
        case loading(Task<Void, any Error>)
        case loaded
        /// Begun, but it waits for the runs in progress.
        case unloading(Task<Void, any Error>)
    }

    private struct State {
        var phase = Phase.idle
        var uses = 0
        var whenUnused: [CheckedContinuation<Void, Never>] = []
        var isRetired = false
        var knownAvailability: Availability?
        /// Counts the times that the known availability was forgotten.
        var changes = 0
    }

    let runner: any Runner
    /// Admits as many runs at a time as the runner declares.
    let gate: RunnerGate
    /// Names it in the account of memory.
    let number: Int
    let loadFollowers = LoadFollowers()
    private let residency: Residency
    private let telemetry: Telemetry
    /// Taken before the residency's lock, never under it.
    private let state = Mutex(State())
    private let resolver = Mutex<(revision: Int, resolver: ParameterResolver)?>(nil)

    init(_ runner: any Runner, residency: Residency, telemetry: Telemetry) {
        self.runner = runner
        self.residency = residency
        self.telemetry = telemetry
        number = residency.newNumber()
        gate = RunnerGate(runner: runner.id, width: runner.concurrency)
    }

    var isLoaded: Bool {
        state.withLock { if case .loaded = $0.phase { true } else { false } }
    }

    /// Whether it has the memory that it needs, or is just taking it.
    var holdsMemory: Bool {
        state.withLock { if case .idle = $0.phase { false } else { true } }
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
        if acquireIfLoaded(keepAlive: keepAlive) { return }
        residency.expect(number)
        defer { residency.unexpect(number) }
        while let change = try takeOrBegin(keepAlive: keepAlive) { try await change.valueUnlessCancelled }
    }

    /// - Returns: Whether it is, and stays so until ``release()``.
    func acquireIfLoaded(keepAlive: Duration?) -> Bool {
        state.withLock { take(&$0, keepAlive: keepAlive) }
    }

    private func take(_ state: inout State, keepAlive: Duration?) -> Bool {
        guard !state.isRetired, case .loaded = state.phase, residency.beginUse(number, keepAlive: keepAlive)
        else { return false }
        state.uses += 1
        return true
    }

    /// - Returns: What has to end before it can be tried again; `nil` where it is taken.
    private func takeOrBegin(keepAlive: Duration?) throws -> Task<Void, any Error>? {
        try state.withLock { state in
            if state.isRetired {
                throw BreezeError(
                    .unavailable,
                    "\(runner.id) was taken out while the request waited for it.",
                    remedy: "Send the request again."
                )
            }
            if take(&state, keepAlive: keepAlive) { return nil }
            switch state.phase {
            case .loaded: return beginUnloading(&state, .evicted)
            case .loading(let work), .unloading(let work): return work
            case .idle: return beginLoading(&state)
            }
        }
    }

    func release() {
        // The account first: until the use ends here nothing is unloaded, let alone loaded anew.
        residency.endUse(number)
        let waiters = state.withLock { state in
            state.uses -= 1
            guard state.uses == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.whenUnused = [] }
            return state.whenUnused
        }
        for waiter in waiters { waiter.resume() }
    }

    private func beginLoading(_ state: inout State) -> Task<Void, any Error> {
        let load = Task {
            do {
                try await residency.admit(self)
                try await telemetry.recordLoad(of: runner) { [loadFollowers] in loadFollowers.tell($0) }
            } catch {
                residency.failed(number)
                self.state.withLock { $0.phase = .idle }  // a failed load may be tried again
                throw error
            }
            residency.loaded(number)
            self.state.withLock { state in
                state.phase = .loaded
                // It may have been taken away since the line above: then nobody else unloads it.
                if residency.isLeaving(number) { _ = beginUnloading(&state, .evicted) }
            }
        }
        state.phase = .loading(load)
        return load
    }

    /// Gives the runner's memory back once its last run has ended.
    func unload(_ reason: Occurrence.UnloadReason = .request) async {
        while true {
            let (change, isLast) = state.withLock { state -> (Task<Void, any Error>?, Bool) in
                switch state.phase {
                case .idle: (nil, true)
                case .loading(let load): (load, false)
                case .unloading(let unload): (unload, true)
                case .loaded: (beginUnloading(&state, reason), true)
                }
            }
            _ = await change?.result
            if isLast { return }
        }
    }

    /// Called when the residency has taken it away from everybody. Somebody may have come first who found it
    /// so: then it was unloaded already, and may have been loaded anew.
    func leave(_ reason: Occurrence.UnloadReason) async {
        let unload = state.withLock { state -> Task<Void, any Error>? in
            switch state.phase {
            case .loaded where residency.isLeaving(number): beginUnloading(&state, reason)
            case .unloading(let unload): unload
            default: nil
            }
        }
        _ = await unload?.result
    }

    private func beginUnloading(
        _ state: inout State,
        _ reason: Occurrence.UnloadReason
    ) -> Task<Void, any Error> {
        let unload = Task<Void, any Error> { await finishUnloading(reason) }
        state.phase = .unloading(unload)
        return unload
    }

    private func finishUnloading(_ reason: Occurrence.UnloadReason) async {
        await untilUnused()
        residency.unloading(number)
        await runner.unload()
        returnFreedMemory()
        // The account first: a load that began before it would be struck out of it.
        residency.unloaded(number, reason)
        state.withLock { $0.phase = .idle }
    }

    private func untilUnused() async {
        await withCheckedContinuation { continuation in
            let isUnused = state.withLock { state in
                if state.uses > 0 { state.whenUnused.append(continuation) }
                return state.uses == 0
            }
            if isUnused { continuation.resume() }
        }
    }

    /// Unloads it for good: nobody gets it any more.
    func retire() async {
        state.withLock { $0.isRetired = true }
        await unload(.removed)
    }
}

// MARK: - What it is asked about

extension RunnerSlot {
    /// Kept until the settings change.
    func resolver(_ settings: EngineSettings) -> ParameterResolver {
        resolver.withLock { known in
            if let known, known.revision == settings.revision { return known.resolver }
            let made = ParameterResolver(runner: runner, settings: settings)
            known = (settings.revision, made)
            return made
        }
    }

    /// Asked for once, and kept until something changes.
    func availability() async -> Availability {
        let (known, asked) = state.withLock { ($0.knownAvailability, $0.changes) }
        if let known { return known }
        let found = await runner.availability()
        state.withLock { state in
            // What changed meanwhile may have changed this too.
            if asked == state.changes { state.knownAvailability = found }
        }
        return found
    }

    func forgetAvailability() {
        state.withLock { state in
            state.knownAvailability = nil
            state.changes += 1
        }
    }
}
