/// How often Breeze opens other apps, or its own settings, because some page or program asked for it.
///
/// Codable, so that hub and handler share it as one row. Times are the hub's, in milliseconds since 1970.
package struct OpeningBudget: Codable, Hashable, Sendable {
    static let answers = 12
    static let period: Int64 = 600_000
    static let settingsApart: Int64 = 10_000

    private var opened: [Int64] = []
    private var settingsShown: Int64?

    package init() {}

    /// Whether an answer may go to a caller that is not paired and for which the owner said no yes: a refusal, a
    /// status, a pairing's offer. `false`: nothing is opened.
    package mutating func takeAnswer(at now: Int64) -> Bool {
        opened.removeAll { !QuestionLine.isWithin(Self.period, of: $0, now) }
        guard opened.count < Self.answers else { return false }
        opened.append(now)
        return true
    }

    package mutating func takeSettings(at now: Int64) -> Bool {
        if let time = settingsShown, QuestionLine.isWithin(Self.settingsApart, of: time, now) { return false }
        settingsShown = now
        return true
    }
}
