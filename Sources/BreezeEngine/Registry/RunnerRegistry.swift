import BreezeCore

/// The runners that there are, and whether each could answer now.
actor RunnerRegistry {
    struct Entry {
        let runner: any Runner
        let availability: Availability
    }

    private var runners: [String: any Runner] = [:]
    /// Ids in the order of registration, which breaks ties between equals.
    private var order: [String] = []
    private var byCapability: [AICapability: [String]] = [:]
    /// Asked for once and kept until something changes.
    private var availabilities: [String: Availability] = [:]
    private var settingsRevision = 0

    func register(_ runner: any Runner) throws {
        guard runners[runner.id] == nil else {
            throw BreezeError(
                .invalidRequest,
                "A runner named \(runner.id) is registered already.",
                remedy: "Replace it, or give the new one another id."
            )
        }
        runners[runner.id] = runner
        order.append(runner.id)
        reindex()
    }

    /// Puts `runner` in the place of the one with its id, or registers it where there is none.
    func replace(_ runner: any Runner) -> (any Runner)? {
        let old = runners.updateValue(runner, forKey: runner.id)
        if old == nil { order.append(runner.id) }
        availabilities[runner.id] = nil
        reindex()
        return old
    }

    func remove(_ id: String) -> (any Runner)? {
        guard let runner = runners.removeValue(forKey: id) else { return nil }
        order.removeAll { $0 == id }
        availabilities[id] = nil
        reindex()
        return runner
    }

    private func reindex() {
        byCapability = [:]
        for id in order {
            for capability in runners[id]?.supportedCapabilities ?? [] {
                byCapability[capability, default: []].append(id)
            }
        }
    }

    var all: [any Runner] { order.compactMap { runners[$0] } }

    subscript(id: String) -> (any Runner)? { runners[id] }

    /// In the order of registration.
    func entries(for capability: AICapability) async -> [Entry] {
        await entries(of: (byCapability[capability] ?? []).compactMap { runners[$0] })
    }

    func entries(of wanted: [any Runner]) async -> [Entry] {
        var entries: [Entry] = []
        for runner in wanted {
            entries.append(Entry(runner: runner, availability: await availability(of: runner)))
        }
        return entries
    }

    private func availability(of runner: any Runner) async -> Availability {
        if let known = availabilities[runner.id] { return known }
        let found = await runner.availability()
        // Only if it is still the same runner: another may have taken its place meanwhile.
        if runners[runner.id]?.loadSettings == runner.loadSettings { availabilities[runner.id] = found }
        return found
    }

    /// Availability may depend on the settings: another revision of them asks again.
    func note(_ revision: Int) {
        guard revision != settingsRevision else { return }
        settingsRevision = revision
        forgetAvailability()
    }

    /// Something changed that availability depends on: ask again the next time.
    func forgetAvailability(of id: String? = nil) {
        if let id { availabilities[id] = nil } else { availabilities = [:] }
    }
}
