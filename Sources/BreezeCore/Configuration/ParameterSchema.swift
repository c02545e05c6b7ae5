/// The parameters that a runner understands. Interfaces are made from it, and every tier is validated against
/// it.
public struct ParameterSchema: Codable, Hashable, Sendable {
    public var parameters: [ParameterDescriptor]

    public init(_ parameters: [ParameterDescriptor] = []) {
        self.parameters = parameters
    }

    public subscript(name: String) -> ParameterDescriptor? { parameters.first { $0.name == name } }
}

/// One parameter: what it means, which values it takes, and who may set it.
public struct ParameterDescriptor: Codable, Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case string
        case boolean
        case integer(min: Int? = nil, max: Int? = nil)
        case number(min: Double? = nil, max: Double? = nil)
        /// One of these strings.
        case selection([String])
        /// A list of strings, none of them empty.
        case strings(maxCount: Int? = nil)
    }

    /// What becomes of a number that is out of its range.
    public enum RangePolicy: String, Codable, Sendable {
        /// The request fails.
        case refuse
        /// The nearest value in the range is used, and the report says so.
        case clamp
    }

    /// A name of ``InferenceConfig/standardParameterNames``, or one of the runner's own.
    public var name: String
    public var displayName: String
    /// For a person, with the trade-off that the value is.
    public var summary: String
    public var kind: Kind
    public var defaultValue: JSONValue?
    /// Its value is never shown, logged or reported.
    public var isSensitive: Bool
    /// The tiers that may set it.
    public var tiers: Set<ConfigurationTier>
    public var rangePolicy: RangePolicy

    public init(
        _ name: String,
        _ displayName: String,
        summary: String,
        kind: Kind,
        default defaultValue: JSONValue? = nil,
        isSensitive: Bool = false,
        tiers: Set<ConfigurationTier> = Set(ConfigurationTier.allCases),
        rangePolicy: RangePolicy = .refuse
    ) {
        self.name = name
        self.displayName = displayName
        self.summary = summary
        self.kind = kind
        self.defaultValue = defaultValue
        self.isSensitive = isSensitive
        self.tiers = tiers
        self.rangePolicy = rangePolicy
    }
}
