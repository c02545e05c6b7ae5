/// What a guardian says of one text.
public struct GuardianVerdict: Codable, Hashable, Sendable {
    public enum Action: String, Codable, Sendable {
        case pass, warn, block
    }

    public struct Finding: Codable, Hashable, Sendable {
        public var category: String
        /// 0 harmless … 1 certain harm.
        public var risk: Double

        public init(category: String, risk: Double) {
            self.category = category
            self.risk = risk
        }
    }

    public var action: Action
    /// Riskiest first; empty for a text that passes clean.
    public var findings: [Finding]

    public init(action: Action, findings: [Finding] = []) {
        self.action = action
        self.findings = findings.sorted { ($0.risk, $1.category) > ($1.risk, $0.category) }
    }
}
