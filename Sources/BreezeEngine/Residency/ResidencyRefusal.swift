import BreezeCore

/// Why there is no room, in words.
struct ResidencyRefusal {
    private let limit: Int64?
    private let free: Int64
    private let evictable: [String]
    private let pinned: [String]
    private let running: [String]
    private let coming: [String]

    init(_ state: ResidencyState, _ device: ResidencyState.Device, now: Duration) {
        limit = state.limit(device)
        let used = state.total(of: .reserved, .loading, .loaded, .unloading)
        free = max(0, (limit ?? 0).minus(used))
        let loaded = state.entries.filter { $0.value.phase == .loaded }.sorted { $0.key < $1.key }
        func text(_ entry: ResidencyState.Entry) -> String {
            entry.size > 0 ? "\(entry.runner.id) with \(ByteCount.text(entry.size))" : entry.runner.id
        }
        let (held, others) = (
            loaded.filter { device.isPinned($0.value.runner) },
            loaded.filter { !device.isPinned($0.value.runner) }
        )
        pinned = held.map { text($0.value) }
        evictable = others.filter { state.isIdle($0.key) }.map { text($0.value) }
        running = others.filter { !state.isIdle($0.key) }.map { text($0.value) }
        coming = state.entries.sorted { $0.key < $1.key }
            .filter { $0.value.phase == .loading || $0.value.phase == .reserved }
            .map { text($0.value) }
    }

    /// What holds the memory, for a reason that says already how much is missing; `nil` where nothing does.
    var holders: String? {
        let parts = [("pinned", pinned), ("running", running), ("loading", coming)]
            .filter { !$0.1.isEmpty }
            .map { "\($0.0): \($0.1.joined(separator: ", "))" }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    func error(for runner: String, needed: Int64, because reason: String?) -> BreezeError {
        var parts = [
            "\(runner) needs \(ByteCount.text(needed)) of memory and \(ByteCount.text(free)) are free"
                + (limit.map { " of \(ByteCount.text($0))" } ?? "")
        ]
        if let reason { parts[0] += "; \(reason)" }
        let could = evictable.isEmpty ? "nothing" : evictable.joined(separator: ", ")
        parts.append("could be evicted: \(could)")
        if let holders { parts.append(holders) }
        return BreezeError(
            .insufficientMemory,
            parts.joined(separator: "; ") + ".",
            remedy: remedy
        )
    }

    private var remedy: String {
        func id(_ text: String) -> String { String(text.prefix { $0 != " " }) }
        if let first = pinned.first { return "Let one go: breeze unpin \(id(first))" }
        if let first = running.first { return "Wait for its end, or: breeze unload \(id(first))" }
        return "Free memory, raise residency.budget, or choose a smaller model."
    }
}
