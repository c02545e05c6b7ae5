import BreezeCore
import Synchronization

extension Residency {
    /// What a process grows by without any model.
    private static let noise: Int64 = 1 << 20

    /// Holds what the process grew by since the load of `id` began against the runner's estimate. The first
    /// run is a part of it, since runtimes take their working memory then.
    func measure(_ id: Int, isLast: Bool) {
        let now = clock.now()
        let (learnt, crowded) = state.withLock { state -> ([String: Int64]?, [RunnerSlot]) in
            guard let entry = state.entries[id], let baseline = entry.baseline else { return (nil, []) }
            if isLast { state.entries[id]?.baseline = nil }
            let isModel = entry.runner.locality == .onDevice && !entry.runner.isMock
            guard isModel, state.isQuiet(for: id), let resident = options.processMemory.resident()
            else { return (nil, []) }
            let growth = resident.minus(baseline)
            guard growth > max(Self.noise, state.measured[entry.runner.id] ?? 0) else { return (nil, []) }
            state.measured[entry.runner.id] = growth
            let size = state.size(of: entry.runner)
            state.entries[id]?.size = size
            guard growth > entry.size else { return (state.measured, []) }
            return (state.measured, makeRoom(in: &state, now: now))
        }
        dismiss(crowded, .anotherRunner)
        if let learnt { options.store?.save(learnt) }
    }

    /// One that takes more than it said may have filled the budget over its edge.
    private func makeRoom(in state: inout ResidencyState, now: Duration) -> [RunnerSlot] {
        let device = device(pins: state.pins)
        guard case .evict(let victims) = state.plan(device, now: now).decide(newcomer: 1) else { return [] }
        state.evictions.forOthers += victims.count
        for victim in victims { state.tell(.evicted(state.entries[victim]?.runner.id ?? "", .anotherRunner)) }
        return state.claim(victims)
    }
}
