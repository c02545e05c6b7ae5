import BreezeCore
import Logging
import Synchronization

/// Keeps the account of what is in memory: makes room for a newcomer or refuses it, and lets go what nobody
/// needs.
///
/// A lock and no actor: a slot asks it without a suspension, so that "may I use it" and "it is being evicted"
/// cannot both be answered yes.
final class Residency: Sendable {
    let settings: any SettingsSource
    let hardware: any HardwareDetector
    let clock: EngineClock
    let logger: Logger
    let telemetry: Telemetry
    let options: ResidencyOptions
    let state: Mutex<ResidencyState>
    let timer: Mutex<ResidencyTimer> = Mutex(ResidencyTimer())
    let listening: Mutex<(task: Task<Void, Never>, summary: String?)?> = Mutex(nil)
    private let slots = Mutex(0)

    init(
        settings: any SettingsSource,
        hardware: any HardwareDetector,
        clock: EngineClock,
        logger: Logger,
        telemetry: Telemetry,
        options: ResidencyOptions
    ) {
        self.settings = settings
        self.hardware = hardware
        self.clock = clock
        self.logger = logger
        self.telemetry = telemetry
        self.options = options
        var state = ResidencyState()
        state.measured = options.store?.load() ?? [:]
        self.state = Mutex(state)
    }

    deinit {
        listening.withLock { $0?.task.cancel() }
        timer.withLock { $0.task?.cancel() }
        state.withLock { state in
            for observer in state.observers.values { observer.finish() }
        }
    }

    /// A number for a slot, which its runner's id is not: a successor may load before its predecessor is gone.
    func newNumber() -> Int {
        slots.withLock { count in
            count += 1
            return count
        }
    }

    func size(of runner: any Runner) -> Int64? {
        let size = state.withLock { $0.size(of: runner) }
        return size > 0 ? size : nil
    }

    /// The device as it is now. A settings file that became wrong must not stop an eviction: then the
    /// defaults hold.
    func device(_ settings: EngineSettings? = nil, pins: Set<String>) -> ResidencyState.Device {
        ResidencyState.Device(
            memory: hardware.memory(),
            settings: settings ?? (try? self.settings.current()) ?? EngineSettings(),
            pins: pins
        )
    }

    /// Has slots unloaded that were claimed.
    func dismiss(_ slots: [RunnerSlot], _ cause: ResidencyEvent.Cause) {
        for slot in slots {
            logger.info("\(slot.runner.id) is unloaded")
            if let reason = cause.eviction {
                telemetry.record(.evicted(reason, bytes: slot.runner.memoryEstimate), runner: slot.runner.id)
            }
            Task { await slot.leave(cause == .expired ? .idle : .evicted) }
        }
    }

    /// Whether it was claimed and has not gone yet.
    func isLeaving(_ id: Int) -> Bool {
        state.withLock { state in
            if case .unloading = state.entries[id]?.phase { true } else { false }
        }
    }
}

// MARK: - Loading

extension Residency {
    /// Returns when there is room for the slot's runner, which is taken from then on: ``loaded(_:)``,
    /// ``failed(_:)`` or ``unloaded(_:)`` give it back.
    func admit(_ slot: RunnerSlot) async throws {
        let (id, runner) = (slot.number, slot.runner)
        if !runner.isMock, runner.locality == .onDevice { listen() }
        let settings = try settings.current()
        state.withLock { state in
            state.uses += 1
            state.entries[id] = ResidencyState.Entry(
                runner: runner,
                slot: slot,
                size: state.size(of: runner),
                order: state.uses,
                lastUsed: clock.now(),
                keepAlive: settings.keepAlive(of: runner, asked: nil)
            )
        }
        while true {
            let now = clock.now()
            let step = state.withLock { state -> ResidencyState.Step in
                // Under the lock: a figure from before another's load would count its memory twice.
                let step = state.step(id, device(settings, pins: state.pins), now: now)
                if case .load = step { begin(id, in: &state) }
                return step
            }
            switch step {
            case .load: return
            case .wait(let generation): await change(after: generation)
            case .evict(let slots): dismiss(slots, .anotherRunner)
            case .refuse(let error):
                logger.warning("\(runner.id) is refused: \(error.message)")
                changed()
                throw error
            }
        }
    }

    private func begin(_ id: Int, in state: inout ResidencyState) {
        state.spoil(except: id)
        if state.isQuiet(for: id) { state.entries[id]?.baseline = options.processMemory.resident() }
        if let runner = state.entries[id]?.runner { state.tell(.loading(runner.id)) }
    }

    private func change(after generation: Int) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.generation == generation { state.waiters.append(continuation) }
                return state.generation != generation
            }
            if isOver { continuation.resume() }
        }
    }

    /// Memory came back or is known better: who waits looks again.
    func changed() {
        let waiters = state.withLock { state in
            state.generation += 1
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func loaded(_ id: Int) {
        let now = clock.now()
        state.withLock { state in
            guard let entry = state.entries[id] else { return }
            state.entries[id]?.phase = .loaded
            state.entries[id]?.lastUsed = now
            state.entries[id]?.expires = entry.keepAlive.map { now + max($0, Self.grace) }
            state.tell(.loaded(entry.runner.id))
        }
        measure(id, isLast: false)
        changed()
        schedule()
    }

    func failed(_ id: Int) {
        state.withLock { state in
            guard let entry = state.entries.removeValue(forKey: id) else { return }
            state.tell(.loadFailed(entry.runner.id))
        }
        changed()
    }

    func unloading(_ id: Int) {
        state.withLock { state in
            state.entries[id]?.phase = .unloading
            state.spoil(except: id)
        }
    }

    func unloaded(_ id: Int, _ reason: Occurrence.UnloadReason) {
        state.withLock { state in
            guard let runner = state.entries.removeValue(forKey: id)?.runner else { return }
            state.tell(.unloaded(runner.id))
            // Under the lock: whoever loads into the room that is left is told of after it.
            telemetry.record(.unloaded(reason, bytes: runner.memoryEstimate), runner: runner.id)
        }
        changed()
    }
}

// MARK: - Use

extension Residency {
    /// Somebody waits for the slot to be loaded: until ``unexpect(_:)`` it is not evicted.
    func expect(_ id: Int) {
        state.withLock { $0.expected[id, default: 0] += 1 }
    }

    func unexpect(_ id: Int) {
        state.withLock { state in
            let left = (state.expected[id] ?? 1) - 1
            state.expected[id] = left > 0 ? left : nil
        }
        schedule()
    }

    /// - Returns: `false` where it is being evicted.
    func beginUse(_ id: Int, keepAlive: Duration?) -> Bool {
        state.withLock { state in
            guard let entry = state.entries[id], case .loaded = entry.phase else { return false }
            state.uses += 1
            state.entries[id]?.uses += 1
            state.entries[id]?.order = state.uses
            state.entries[id]?.keepAlive = keepAlive
            state.entries[id]?.expires = nil
            state.spoil(except: id)
            return true
        }
    }

    func endUse(_ id: Int) {
        let now = clock.now()
        let isIdle = state.withLock { state in
            guard var entry = state.entries[id] else { return false }
            state.uses += 1
            entry.uses -= 1
            entry.order = state.uses
            entry.lastUsed = now
            if entry.uses == 0 {
                // While memory is critically short nothing stays that nobody uses.
                let keepAlive = state.pressure == .critical ? .zero : entry.keepAlive
                entry.expires = keepAlive.map { now + max($0, Self.grace) }
            }
            state.entries[id] = entry
            return entry.uses == 0
        }
        guard isIdle else { return }
        measure(id, isLast: true)
        schedule()
    }
}
