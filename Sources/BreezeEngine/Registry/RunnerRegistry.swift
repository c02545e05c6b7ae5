import BreezeCore

/// The runners that there are.
actor RunnerRegistry {
    private var slots: [String: RunnerSlot] = [:]
    /// Ids in the order of registration, which breaks ties between equals.
    private var order: [String] = []
    private var byCapability: [AICapability: [String]] = [:]
    private var settingsRevision = 0
    private let residency: Residency
    private let telemetry: Telemetry

    init(residency: Residency, telemetry: Telemetry) {
        self.residency = residency
        self.telemetry = telemetry
    }

    func register(_ runner: any Runner) throws {
        guard slots[runner.id] == nil else {
            throw BreezeError(
                .invalidRequest,
                "A runner named \(runner.id) is registered already.",
                remedy: "Replace it, or give the new one another id."
            )
        }
        _ = replace(runner)
    }

    /// Puts `runner` in the place of the one with its id, or registers it where there is none.
    /// - Returns: What it took the place of.
    func replace(_ runner: any Runner) -> RunnerSlot? {
        let slot = RunnerSlot(runner, residency: residency, telemetry: telemetry)
        let old = slots.updateValue(slot, forKey: runner.id)
        if old == nil { order.append(runner.id) }
        reindex()
        return old
    }

    func remove(_ id: String) -> RunnerSlot? {
        guard let slot = slots.removeValue(forKey: id) else { return nil }
        order.removeAll { $0 == id }
        reindex()
        return slot
    }

    private func reindex() {
        byCapability = [:]
        for id in order {
            for capability in Set(slots[id]?.runner.supportedCapabilities ?? []) {
                byCapability[capability, default: []].append(id)
            }
        }
    }

    /// In the order of registration, like every list here.
    var all: [RunnerSlot] { order.compactMap { slots[$0] } }

    subscript(id: String) -> RunnerSlot? { slots[id] }

    func slots(for capability: AICapability) -> [RunnerSlot] {
        (byCapability[capability] ?? []).compactMap { slots[$0] }
    }

    /// Something changed that availability depends on: every runner is asked again the next time.
    func forgetAvailability() async {
        for slot in all { await slot.forgetAvailability() }
    }

    /// Availability may depend on the settings: another revision of them asks again.
    func note(_ revision: Int) async {
        guard revision != settingsRevision else { return }
        settingsRevision = revision
        await forgetAvailability()
    }
}
