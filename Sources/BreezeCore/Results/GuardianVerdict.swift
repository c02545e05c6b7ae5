/// What a guardian says of one text.
public struct GuardianVerdict: Codable, Hashable, Sendable {
    public enum Action: String, Codable, Sendable {
        case pass, warn, block
    }

    public struct Finding: Codable, Hashable, Sendable {
        /// A category, or a category and what within it: `personal-data.iban`.
        public var category: String
        /// 0 harmless … 1 certain harm.
        public var risk: Double
        /// The offending text, in UTF-8 bytes from the start of the whole text; both ends lie between two
        /// scalars. `nil` where the guardian judges the text as a whole. In JSON `[lower, upper]`.
        public var span: Range<Int>?
        /// Names what was recognised, for a log or a test; the guardian's own vocabulary.
        public var rule: String?

        public init(category: String, risk: Double, span: Range<Int>? = nil, rule: String? = nil) {
            self.category = category
            self.risk = risk
            self.span = span
            self.rule = rule
        }

        /// Whether this is `category` itself or stands below it: `personal-data.iban` is within
        /// `personal-data`.
        public func isWithin(_ category: String) -> Bool {
            self.category.hasPrefix(category)
                && (self.category.utf8.count == category.utf8.count
                    || self.category.utf8.dropFirst(category.utf8.count).first == UInt8(ascii: "."))
        }
    }

    /// Where in a request's way the text stood.
    public enum Stage: String, Codable, Sendable {
        case input, tools, output
        /// Personal data in what was about to leave the device.
        case personalData
    }

    public var action: Action
    /// Riskiest first; empty for a text that passes clean.
    public var findings: [Finding]
    /// Filled in by the engine: `nil` for a text that a caller asked about.
    public var stage: Stage?
    /// The guardian's id; filled in by the engine.
    public var guardian: String?

    public init(action: Action, findings: [Finding] = []) {
        self.action = action
        self.findings = findings.sorted {
            ($0.risk, $1.category, $1.span?.lowerBound ?? 0) > (
                $1.risk, $0.category, $0.span?.lowerBound ?? 0
            )
        }
    }
}

/// The graver one is the greater.
extension GuardianVerdict.Action: Comparable {
    private var rank: Int {
        switch self {
        case .pass: 0
        case .warn: 1
        case .block: 2
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}
