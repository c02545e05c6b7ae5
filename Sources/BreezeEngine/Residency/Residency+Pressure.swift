import BreezeCore
import Logging
import Synchronization

extension Residency {
    /// Begins to listen for memory pressure, unless it does already.
    func listen() {
        listening.withLock { listening in
            guard listening == nil else { return }
            let task = Task { [weak self, hardware, given = options.pressure] in
                // Not on the way of the load: the kernel takes its time to take a trigger back.
                let source = given ?? MemoryPressureSources.forThisDevice(hardware: hardware)
                self?.listening.withLock { $0?.summary = source.summary }
                for await level in source.levels() { self?.note(level) }
                guard !Task.isCancelled, self != nil else { return }
                self?.note(.normal)
                // The control group went, or the kernel's files did.
                let watch = MemoryWatch(reason: "\(source.summary) tells no more", hardware: hardware)
                self?.listening.withLock { $0?.summary = watch.summary }
                for await level in watch.levels() { self?.note(level) }
            }
            listening = (task, nil)
        }
    }

    /// A warning lets go what nobody uses, but for the most recent; a critical level lets go that one too.
    func note(_ level: MemoryPressure) {
        let settings = (try? settings.current()) ?? EngineSettings()
        let slots = state.withLock { state in
            guard level != state.pressure else { return [RunnerSlot]() }
            state.pressure = level
            state.tell(.pressure(level))
            let device = ResidencyState.Device(
                memory: DeviceProfile.Memory(total: nil, available: nil),
                settings: settings,
                pins: state.pins
            )
            guard level != .normal else { return [] }
            var idle = state.plan(device, now: clock.now()).evictable
            let recent = idle.max { $0.lastUse < $1.lastUse }
            if level == .warning { idle.removeAll { $0.id == recent?.id && !$0.isExpired } }
            for resident in idle {
                state.tell(.evicted(state.entries[resident.id]?.runner.id ?? "", .pressure))
            }
            state.evictions.forPressure += idle.count
            return state.claim(idle.map(\.id))
        }
        logger.notice("memory pressure is \(level.rawValue)")
        dismiss(slots, .pressure)
        if level == .normal { changed() }
    }
}
