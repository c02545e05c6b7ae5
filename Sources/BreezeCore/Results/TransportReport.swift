/// The way that an answer took to the app that asked, and why each way before it was not taken.
public struct TransportReport: Codable, Hashable, Sendable {
    /// How an app and what answers it are joined. Open, as every name that crosses a process border.
    public struct Way: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The hub's Unix socket.
        public static let socket = Self(rawValue: "socket")
        /// The hub's HTTP on loopback.
        public static let loopback = Self(rawValue: "loopback")
        /// `breezeapp://`, opened by the system.
        public static let urlScheme = Self(rawValue: "url_scheme")
        /// The app's own runner: no hub was asked.
        public static let fallback = Self(rawValue: "fallback")
    }

    public struct Skipped: Codable, Hashable, Sendable {
        public var way: Way
        /// A sentence.
        public var reason: String

        public init(_ way: Way, _ reason: String) {
            self.way = way
            self.reason = reason
        }
    }

    public var way: Way
    /// In the order in which they were tried.
    public var skipped: [Skipped]

    public init(_ way: Way, skipped: [Skipped] = []) {
        self.way = way
        self.skipped = skipped
    }
}
