import BreezeCore
import Synchronization

/// The runners that there are.
final class RunnerRegistry: Sendable {
    fileprivate struct State {
        var slots: [String: RunnerSlot] = [:]
        /// In the order of registration, which breaks ties between equals.
        var order: [RunnerSlot] = []
        var byCapability: [AICapability: [RunnerSlot]] = [:]
        var settingsRevision = 0
    }

    private let state = Mutex(State())
    private let residency: Residency
    private let telemetry: Telemetry

    init(residency: Residency, telemetry: Telemetry) {
        self.residency = residency
        self.telemetry = telemetry
    }

    func register(_ runner: any Runner) throws {
        let slot = RunnerSlot(runner, residency: residency, telemetry: telemetry)
        try state.withLock { state in
            guard state.slots[runner.id] == nil else {
                throw BreezeError(
                    .invalidRequest,
                    "A runner named \(runner.id) is registered already.",
                    remedy: "Replace it, or give the new one another id."
                )
            }
            _ = state.put(slot)
        }
    }

    /// Puts `runner` in the place of the one with its id, or registers it where there is none.
    /// - Returns: What it took the place of.
    func replace(_ runner: any Runner) -> RunnerSlot? {
        let slot = RunnerSlot(runner, residency: residency, telemetry: telemetry)
        return state.withLock { $0.put(slot) }
    }

    func remove(_ id: String) -> RunnerSlot? {
        state.withLock { $0.remove(id) }
    }

    /// In the order of registration, like every list here.
    var all: [RunnerSlot] { state.withLock { $0.order } }

    subscript(id: String) -> RunnerSlot? { state.withLock { $0.slots[id] } }

    func slots(for capability: AICapability) -> [RunnerSlot] {
        state.withLock { $0.byCapability[capability] ?? [] }
    }

    /// Something changed that availability depends on: every runner is asked again the next time.
    func forgetAvailability() {
        for slot in all { slot.forgetAvailability() }
    }

    /// Availability may depend on the settings: another revision of them asks again.
    func note(_ revision: Int) {
        let isNew = state.withLock { state in
            defer { state.settingsRevision = revision }
            return state.settingsRevision != revision
        }
        if isNew { forgetAvailability() }
    }
}

extension RunnerRegistry.State {
    fileprivate mutating func put(_ slot: RunnerSlot) -> RunnerSlot? {
        let old = slots.updateValue(slot, forKey: slot.runner.id)
        if let old, let place = order.firstIndex(where: { $0 === old }) {
            order[place] = slot
        } else {
            order.append(slot)
        }
        reindex()
        return old
    }

    fileprivate mutating func remove(_ id: String) -> RunnerSlot? {
        guard let slot = slots.removeValue(forKey: id) else { return nil }
        order.removeAll { $0 === slot }
        reindex()
        return slot
    }

    private mutating func reindex() {
        byCapability = [:]
        for slot in order {
            for capability in Set(slot.runner.supportedCapabilities) {
                byCapability[capability, default: []].append(slot)
            }
        }
    }
}
