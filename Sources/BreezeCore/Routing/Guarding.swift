/// What becomes of a text in which a guardian finds something. Later ones are stricter.
public enum GuardianMode: String, Codable, CaseIterable, Comparable, Sendable {
    /// The text is not looked at.
    case off
    /// It goes its way, and the result says what was found.
    case warn
    /// What was found is taken out. What cannot be edited, or where the finding has no place, is blocked.
    case filter
    /// The request ends with ``BreezeError/Code/guardianBlocked``.
    case block

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    public static func < (left: GuardianMode, right: GuardianMode) -> Bool { left.rank < right.rank }
}

/// Which guardian checks a request and its answer, and how strictly.
public struct Guarding: Codable, Hashable, Sendable {
    /// `nil` where none is there to check.
    public var guardian: String?
    public var input: GuardianMode
    public var output: GuardianMode
    public var tools: GuardianMode
    /// Why nobody checks, or why nothing will pass; `nil` where all is in order.
    public var reason: String?

    public init(
        guardian: String? = nil,
        input: GuardianMode = .off,
        output: GuardianMode = .off,
        tools: GuardianMode = .off,
        reason: String? = nil
    ) {
        self.guardian = guardian
        self.input = input
        self.output = output
        self.tools = tools
        self.reason = reason
    }
}
