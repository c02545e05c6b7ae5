/// Where a runner stands between the disk and the memory.
public struct RunnerResidency: Codable, Hashable, Sendable {
    public enum State: String, Codable, Sendable {
        case idle
        /// It waits for memory or is being loaded.
        case loading
        case loaded
        case unloading
    }

    public internal(set) var state: State
    /// Bytes that it takes while loaded: the larger one of estimate and measurement; `nil` where nobody knows.
    public internal(set) var bytes: Int64?
    /// Whether ``bytes`` was measured, because the runner took more than its estimate or has none.
    public internal(set) var isMeasured: Bool
    public internal(set) var isPinned: Bool
    /// Requests that it answers now.
    public internal(set) var running: Int
    /// Seconds since its last use; `nil` before the first and while it runs.
    public internal(set) var idleSeconds: Double?
    /// Seconds until it is unloaded; `nil` where it stays, runs or is not loaded.
    public internal(set) var expiresIn: Double?
}

/// What is in memory, and how much more may be.
public struct ResidencyTable: Codable, Hashable, Sendable {
    public struct Entry: Codable, Hashable, Sendable {
        public internal(set) var runner: String
        public internal(set) var residency: RunnerResidency
    }

    /// Bytes that all runners together may take; `nil` where nothing limits them.
    public internal(set) var budget: Int64?
    /// Bytes that the loaded, loading and unloading ones take.
    public internal(set) var used: Int64
    /// ``budget`` less ``used``, at least 0.
    public internal(set) var free: Int64?
    public internal(set) var pressure: MemoryPressure
    /// What tells the engine of memory pressure, for a person; `nil` before the first load.
    public internal(set) var pressureSource: String?
    /// Runners that were unloaded for others, for memory pressure, or because their keep-alive was over.
    public internal(set) var evictions: Evictions
    /// What is loaded, loading or unloading, in the order of loading.
    public internal(set) var entries: [Entry]

    /// How often a runner was unloaded without anybody asking for it.
    public struct Evictions: Codable, Hashable, Sendable {
        public internal(set) var forOthers = 0
        public internal(set) var forPressure = 0
        public internal(set) var expired = 0
        /// Loads that found no room.
        public internal(set) var refusals = 0
    }
}
