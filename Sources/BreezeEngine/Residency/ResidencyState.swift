import BreezeCore

/// The account of what is in memory: plain state, changed under ``Residency``'s lock.
struct ResidencyState {
    enum Phase {
        /// It has its room and waits for the ones that it takes the place of.
        case reserved
        case loading
        case loaded
        case unloading
    }

    struct Entry {
        let runner: any Runner
        weak var slot: RunnerSlot?
        var phase = Phase.reserved
        /// Bytes; 0 where nobody knows.
        var size: Int64
        var uses = 0
        /// When it was used in the order of all uses. A clock may jump, this does not.
        var order: Int
        var lastUsed: Duration
        /// `nil` is for ever.
        var keepAlive: Duration?
        var expires: Duration?
        /// Bytes of the process before the load, as long as nobody else's work could have changed them.
        var baseline: Int64?
    }

    struct Device {
        var memory: DeviceProfile.Memory
        var settings: EngineSettings
        var pins: Set<String>

        func isPinned(_ runner: any Runner) -> Bool {
            pins.contains(runner.id) || settings.pinned.contains { runner.isNamed($0) }
        }

        /// Bytes that there are at all.
        private var whole: Int64 { memory.limit?.bytes ?? memory.total ?? .max }

        /// Bytes that stay free: a tenth of the machine or its limit, but no more than 512 MiB.
        private var reserve: Int64 { settings.residencyReserve ?? min(512 << 20, whole / 10) }

        /// What the device allows, where `resident` bytes of it are ours already.
        func limit(resident: Int64) -> Int64? {
            // Pages of mapped weights count as available though a model needs them: together with what is
            // ours they may be more than there is.
            let device = memory.available.map { max(0, min($0.plus(resident), whole).minus(reserve)) }
            guard let set = settings.residencyBudget else { return device }
            return device.map { min($0, set) } ?? set
        }
    }

    /// By the slot's number.
    var entries: [Int: Entry] = [:]
    /// Requests that wait for a slot to be loaded: it is not taken away again before they had it.
    var expected: [Int: Int] = [:]
    var uses = 0
    /// Counts changes, so that nobody waits for one that came already.
    var generation = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
    var pins: Set<String> = []
    var pressure = MemoryPressure.normal
    var evictions = ResidencyTable.Evictions()
    /// The largest that each runner was seen to take.
    var measured: [String: Int64] = [:]
    var observers: [Int: AsyncStream<ResidencyEvent>.Continuation] = [:]

    func size(of runner: any Runner) -> Int64 {
        max(0, runner.memoryEstimate ?? 0, measured[runner.id] ?? 0)
    }

    func total(of phases: Phase...) -> Int64 {
        entries.values.reduce(0) { phases.contains($1.phase) ? $0.plus($1.size) : $0 }
    }

    func limit(_ device: Device) -> Int64? {
        device.limit(resident: total(of: .loaded, .unloading))
    }

    /// A `newcomer` does not stand in its own way.
    func plan(_ device: Device, without newcomer: Int? = nil, now: Duration) -> ResidencyPlan {
        let residents = entries.compactMap { id, entry -> ResidencyPlan.Resident? in
            guard entry.phase != .unloading, id != newcomer else { return nil }
            return ResidencyPlan.Resident(
                id: id,
                size: entry.size,
                priority: device.settings.residencyPriority(of: entry.runner),
                lastUse: entry.order,
                isHeld: !isIdle(id) || device.isPinned(entry.runner),
                isExpired: entry.expires.map { $0 <= now } ?? false
            )
        }
        return ResidencyPlan(residents: residents, budget: limit(device))
    }

    /// Loaded, and nobody uses it or is about to.
    func isIdle(_ id: Int) -> Bool {
        guard let entry = entries[id], case .loaded = entry.phase else { return false }
        return entry.uses == 0 && expected[id] == nil
    }

    /// Takes them away from everybody: from here on they are unloading.
    /// - Returns: Their slots, which have to be told.
    mutating func claim(_ ids: [Int]) -> [RunnerSlot] {
        ids.compactMap { id in
            entries[id]?.phase = .unloading
            guard let slot = entries[id]?.slot else {
                entries[id] = nil
                return nil
            }
            spoil(except: id)
            return slot
        }
    }

    /// Something happens to one entry: what the others were about to measure means nothing any more.
    mutating func spoil(except id: Int) {
        for other in entries.keys where other != id { entries[other]?.baseline = nil }
    }

    /// Whether the process's memory changes because of somebody else than `id`.
    func isQuiet(for id: Int) -> Bool {
        entries.allSatisfy { other, entry in
            other == id || (entry.uses == 0 && (entry.phase == .loaded || entry.phase == .reserved))
        }
    }

    /// When the next one's keep-alive is over.
    var nextExpiry: Duration? {
        entries.keys.filter(isIdle).compactMap { entries[$0]?.expires }.min()
    }
}

// MARK: - Admission

extension ResidencyState {
    enum Step {
        case load
        /// Something is on its way out, or on its way in.
        case wait(generation: Int)
        case evict([RunnerSlot])
        case refuse(BreezeError)
    }

    /// What the newcomer `id`, whose entry there is, has to do next.
    mutating func step(_ id: Int, _ device: Device, now: Duration) -> Step {
        guard let entry = entries[id] else { return .load }
        let limit = limit(device)
        let held = total(of: .loading, .loaded, .unloading)
        if pressure == .critical, let limit, isLarge(entry.size, for: limit) {
            return refuse(id, device, now: now, because: "the device is critically short of memory")
        }
        let fits = limit.map { entry.size == 0 || held.plus(entry.size) <= $0 } ?? true
        if fits {
            entries[id]?.phase = .loading
            return .load
        }
        let isLoading = entries.values.contains { $0.phase == .loading }
        if isLoading, device.settings.residencyBudget.map({ $0 > limit ?? .max }) ?? true {
            // Nobody knows how much of its memory a load has taken already: its end tells.
            return .wait(generation: generation)
        }
        switch plan(device, without: id, now: now).decide(newcomer: entry.size) {
        case .admit: return .wait(generation: generation)
        case .evict(let victims):
            evictions.forOthers += victims.count
            for victim in victims { tell(.evicted(entries[victim]?.runner.id ?? "", .anotherRunner)) }
            return .evict(claim(victims))
        case .refuse: return refuse(id, device, now: now, because: nil)
        }
    }

    /// Under critical pressure a model counts as large from a tenth of the budget.
    private func isLarge(_ size: Int64, for limit: Int64) -> Bool { size > limit / 10 }

    private mutating func refuse(
        _ id: Int,
        _ device: Device,
        now: Duration,
        because reason: String?
    ) -> Step {
        guard let entry = entries.removeValue(forKey: id) else { return .load }
        evictions.refusals += 1
        tell(.refused(entry.runner.id))
        let refusal = ResidencyRefusal(self, device, now: now)
        return .refuse(refusal.error(for: entry.runner.id, needed: entry.size, because: reason))
    }

    func tell(_ event: ResidencyEvent) {
        for observer in observers.values { observer.yield(event) }
    }
}
