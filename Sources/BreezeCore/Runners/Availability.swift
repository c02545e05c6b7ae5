/// Whether a runner could answer now.
public enum Availability: Codable, Hashable, Sendable {
    case available
    /// `reason` says what is missing, `remedy` is the command or step that mends it.
    case unavailable(reason: String, remedy: String?)
}
