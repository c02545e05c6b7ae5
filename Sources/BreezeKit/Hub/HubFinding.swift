/// How it stands between the app and the hub.
public struct HubFinding: Hashable, Sendable {
    public enum State: String, Codable, Sendable, CaseIterable {
        /// Nothing here knows of a hub.
        case notInstalled
        /// There is one, and it does not run.
        case notRunning
        /// The app has not asked to be let in yet; its first request does.
        case notPaired
        /// The owner has not decided yet.
        case pending
        case refused
        /// The owner withdrew what the app was allowed.
        case revoked
        /// The time for which the app was allowed is over.
        case expired
        case ready
        /// Something is there that does not answer as a hub does.
        case faulty
    }

    public var state: State
    /// A sentence; `nil` for ``State/ready``.
    public var reason: String?
    /// What to do next; `nil` where there is nothing to do.
    public var remedy: String?
    /// Whether a request may be answered as it stands: where it is ready, and where its URL scheme asks the
    /// owner each time.
    public var isOpen: Bool

    /// `isOpen` is said by the state, unless it is given.
    public init(_ state: State, reason: String? = nil, remedy: String? = nil, isOpen: Bool? = nil) {
        self.state = state
        self.reason = reason
        self.remedy = remedy
        self.isOpen = isOpen ?? (state == .ready)
    }
}
