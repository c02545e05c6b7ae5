/// Something that happened to a runner's place in memory.
public enum ResidencyEvent: Hashable, Sendable {
    public enum Cause: String, Codable, Sendable {
        /// Another runner needed the room.
        case anotherRunner
        case pressure
        /// Its keep-alive was over.
        case expired
    }

    case loading(String)
    case loaded(String)
    case loadFailed(String)
    case unloaded(String)
    /// It is being unloaded and nobody asked for it.
    case evicted(String, Cause)
    case refused(String)
    case pressure(MemoryPressure)
}

extension ResidencyEvent.Cause {
    /// As ``Telemetry`` counts it; `nil` for what nobody was in need of.
    var eviction: Occurrence.EvictionReason? {
        switch self {
        case .anotherRunner: .budget
        case .pressure: .pressure
        case .expired: nil
        }
    }
}
