import BreezeCore

/// One loaded instance: a runner's id together with what it was loaded with.
struct RunnerKey: Hashable, Sendable {
    let id: String
    let settings: LoadSettings

    init(_ runner: any Runner) {
        id = runner.id
        settings = runner.loadSettings
    }
}

/// Loads runners, and makes sure that two callers never load the same one twice and that a load never overlaps
/// with an unload.
actor Residency {
    private enum State {
        case loading(Task<Void, any Error>)
        case loaded
        case unloading(Task<Void, Never>)
    }

    private var states: [RunnerKey: State] = [:]
    private var gates: [RunnerKey: RunnerGate] = [:]

    func isLoaded(_ key: RunnerKey) -> Bool {
        if case .loaded = states[key] { true } else { false }
    }

    /// Admits the runs of one loaded instance.
    func gate(for runner: any Runner) -> RunnerGate {
        let key = RunnerKey(runner)
        if let gate = gates[key] { return gate }
        let gate = RunnerGate(width: runner.concurrency)
        gates[key] = gate
        return gate
    }

    /// Returns when `runner` is loaded. A caller that is cancelled stops waiting; the load goes on for the others.
    func ensureLoaded(_ runner: any Runner) async throws {
        let key = RunnerKey(runner)
        while true {
            switch states[key] {
            case .loaded: return
            case .loading(let load): return try await load.valueUnlessCancelled
            case .unloading(let unload):
                await unload.value
                try Task.checkCancellation()
            case nil: return try await load(runner, key).valueUnlessCancelled
            }
        }
    }

    private func load(_ runner: any Runner, _ key: RunnerKey) -> Task<Void, any Error> {
        let load = Task {
            do {
                try await runner.load()
                finishLoad(key, as: .loaded)
            } catch {
                finishLoad(key, as: nil)  // a failed load may be tried again
                throw error
            }
        }
        states[key] = .loading(load)
        return load
    }

    private func finishLoad(_ key: RunnerKey, as state: State?) {
        states[key] = state
    }

    func unload(_ runner: any Runner) async {
        let key = RunnerKey(runner)
        while let state = states[key] {
            switch state {
            case .loading(let load): _ = await load.result
            case .unloading(let unload): return await unload.value
            case .loaded:
                let unload = Task {
                    await runner.unload()
                    states[key] = nil
                    gates[key] = nil
                }
                states[key] = .unloading(unload)
                return await unload.value
            }
        }
    }
}
