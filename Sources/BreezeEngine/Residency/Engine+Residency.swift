import BreezeCore
import Synchronization

extension Engine {
    /// Loads a runner before its first request; it stays for its keep-alive. Does nothing where it is loaded.
    /// - Throws: ``BreezeError/Code/insufficientMemory`` where there is no room, and what the load throws.
    public func load(_ id: String) async throws {
        guard let slot = registry[id] else { throw unknownRunner(id) }
        for capability in slot.runner.supportedCapabilities.prefix(1) {
            try checkPrivacy(of: slot.runner, for: InferenceRequest(capability))
        }
        do {
            try await slot.acquire(keepAlive: try settings.current().keepAlive(of: slot.runner, asked: nil))
        } catch { throw BreezeError.wrapping(error) }
        slot.release()
    }

    /// Keeps a runner loaded: nothing evicts it, and its keep-alive does not count. It is loaded by its next
    /// request. The pin lasts as long as the engine; the setting `residency.pinned` lasts longer.
    public func pin(_ id: String) async throws {
        guard registry[id] != nil else { throw unknownRunner(id) }
        residency.pin(id)
    }

    /// Takes the pin back; the keep-alive begins anew.
    /// - Throws: ``BreezeError/Code/invalidSetting`` where a setting pins it.
    public func unpin(_ id: String) async throws {
        guard let slot = registry[id] else { throw unknownRunner(id) }
        residency.unpin(id)
        let names = try settings.current().pinned.filter { slot.runner.isNamed($0) }
        guard let name = names.first else { return }
        throw BreezeError(
            .invalidSetting,
            "The setting residency.pinned pins \(id) (it names \(name)).",
            remedy: "Take it out there: breeze config unset residency.pinned"
        )
    }

    /// What is in memory, and how much more may be.
    public func residency() async -> ResidencyTable { residency.table() }

    /// What happens to the runners' places in memory, from now on.
    public func residencyEvents() -> AsyncStream<ResidencyEvent> { residency.events() }
}

extension Residency {
    func pin(_ id: String) {
        state.withLock { _ = $0.pins.insert(id) }
    }

    func unpin(_ id: String) {
        let now = clock.now()
        state.withLock { state in
            guard state.pins.remove(id) != nil else { return }
            for (number, entry) in state.entries where entry.runner.id == id && state.isIdle(number) {
                state.entries[number]?.expires = entry.keepAlive.map { now + max($0, Self.grace) }
            }
        }
        changed()
        schedule()
    }

    func events() -> AsyncStream<ResidencyEvent> {
        let (events, continuation) = AsyncStream.makeStream(
            of: ResidencyEvent.self,
            bufferingPolicy: .bufferingNewest(1_024)
        )
        let number = newNumber()
        state.withLock { $0.observers[number] = continuation }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.observers[number] = nil }
        }
        return events
    }

    func table() -> ResidencyTable {
        let now = clock.now()
        let summary = listening.withLock { $0 }?.summary
        return state.withLock { state in
            let device = device(pins: state.pins)
            let budget = state.limit(device)
            let used = state.total(of: .loading, .loaded, .unloading)
            return ResidencyTable(
                budget: budget,
                used: used,
                free: budget.map { max(0, $0.minus(used)) },
                pressure: state.pressure,
                pressureSource: summary,
                evictions: state.evictions,
                entries: state.entries.sorted { $0.key < $1.key }.map { _, entry in
                    ResidencyTable.Entry(
                        runner: entry.runner.id,
                        residency: RunnerResidency(entry, state, device, now: now)
                    )
                }
            )
        }
    }

    /// Where the slot of `number` stands.
    func status(of runner: any Runner, number: Int, settings: EngineSettings) -> RunnerResidency {
        let now = clock.now()
        return state.withLock { state in
            let device = ResidencyState.Device(
                memory: DeviceProfile.Memory(total: nil, available: nil),
                settings: settings,
                pins: state.pins
            )
            if let entry = state.entries[number] { return RunnerResidency(entry, state, device, now: now) }
            let size = state.size(of: runner)
            return RunnerResidency(
                state: .idle,
                bytes: size > 0 ? size : nil,
                isMeasured: size > 0 && size > runner.memoryEstimate ?? 0,
                isPinned: device.isPinned(runner),
                running: 0
            )
        }
    }

    /// What a newcomer could have at most now, and in words what keeps the rest.
    func obtainable(_ settings: EngineSettings) -> (bytes: Int64?, holders: String?) {
        let now = clock.now()
        let memory = hardware.memory()
        return state.withLock { state in
            let device = ResidencyState.Device(memory: memory, settings: settings, pins: state.pins)
            return (
                state.plan(device, now: now).obtainable, ResidencyRefusal(state, device, now: now).holders
            )
        }
    }
}

extension RunnerResidency {
    fileprivate init(
        _ entry: ResidencyState.Entry,
        _ state: ResidencyState,
        _ device: ResidencyState.Device,
        now: Duration
    ) {
        let isPinned = device.isPinned(entry.runner)
        let isIdle = entry.phase == .loaded && entry.uses == 0
        self.init(
            state: entry.phase.shown,
            bytes: entry.size > 0 ? entry.size : nil,
            isMeasured: entry.size > 0 && entry.size > entry.runner.memoryEstimate ?? 0,
            isPinned: isPinned,
            running: entry.uses,
            idleSeconds: isIdle ? max(0, (now - entry.lastUsed).seconds) : nil,
            expiresIn: isIdle && !isPinned ? entry.expires.map { max(0, ($0 - now).seconds) } : nil
        )
    }
}

extension ResidencyState.Phase {
    fileprivate var shown: RunnerResidency.State {
        switch self {
        case .reserved, .loading: .loading
        case .loaded: .loaded
        case .unloading: .unloading
        }
    }
}
