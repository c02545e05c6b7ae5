/// Where a value comes from. Later ones outrank earlier ones, where the parameter allows their tier.
public enum ConfigurationTier: String, Codable, CaseIterable, Comparable, Sendable {
    case runnerDefault
    case engineSettings
    case client

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    public static func < (left: ConfigurationTier, right: ConfigurationTier) -> Bool {
        left.rank < right.rank
    }
}

/// The account of every parameter of one run: the value in force, the tier that set it, and what became of
/// the values that the other tiers asked for.
public struct ParameterReport: Codable, Hashable, Sendable {
    public struct Entry: Codable, Hashable, Sendable {
        public var name: String
        /// In force; `nil` where no tier sets the parameter, or where it was refused and has no default.
        public var value: JSONValue?
        /// The tier that set ``value``.
        public var tier: ConfigurationTier?
        /// In the order of the tiers.
        public var events: [Event]

        public init(
            name: String,
            value: JSONValue? = nil,
            tier: ConfigurationTier? = nil,
            events: [Event] = []
        ) {
            self.name = name
            self.value = value
            self.tier = tier
            self.events = events
        }
    }

    /// Something that happened to a value on its way.
    public struct Event: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, Sendable {
            /// A higher tier's value took its place.
            case overridden
            /// It was moved to the nearest value in the range.
            case clamped
            /// It was not used at all.
            case refused
        }

        public var kind: Kind
        /// The tier that asked for ``asked``.
        public var tier: ConfigurationTier
        public var asked: JSONValue
        public var reason: String

        public init(kind: Kind, tier: ConfigurationTier, asked: JSONValue, reason: String) {
            self.kind = kind
            self.tier = tier
            self.asked = asked
            self.reason = reason
        }
    }

    /// In the order of the runner's ``ParameterSchema``, then the ones it does not know.
    public var entries: [Entry]

    public init(entries: [Entry] = []) {
        self.entries = entries
    }

    public subscript(name: String) -> Entry? { entries.first { $0.name == name } }
}
