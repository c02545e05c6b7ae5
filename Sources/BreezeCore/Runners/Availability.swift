/// Whether a runner could answer now. In JSON `{"state": "available"}`, or `{"state": "unavailable",
/// "reason", "remedy"}`.
public enum Availability: Hashable, Sendable {
    case available
    /// `reason` says what is missing, `remedy` is the command or step that mends it.
    case unavailable(reason: String, remedy: String?)
}

extension Availability: Codable {
    private enum State: String, Codable { case available, unavailable }
    private enum CodingKeys: String, CodingKey { case state, reason, remedy }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        switch try values.decode(State.self, forKey: .state) {
        case .available: self = .available
        case .unavailable:
            self = .unavailable(
                reason: try values.decode(String.self, forKey: .reason),
                remedy: try values.decodeIfPresent(String.self, forKey: .remedy)
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .available: try values.encode(State.available, forKey: .state)
        case .unavailable(let reason, let remedy):
            try values.encode(State.unavailable, forKey: .state)
            try values.encode(reason, forKey: .reason)
            try values.encodeIfPresent(remedy, forKey: .remedy)
        }
    }
}
