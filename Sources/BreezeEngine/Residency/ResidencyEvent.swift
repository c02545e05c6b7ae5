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
