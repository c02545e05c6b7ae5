import BreezeCore

/// What an app may use in one day of the device's local time; `nil` is without a limit.
package struct Quota: Codable, Hashable, Sendable {
    package var requests: Int?
    /// That went in and came out.
    package var tokens: Int?
    /// In which a runner worked for it.
    package var computeMinutes: Double?

    package init(requests: Int? = nil, tokens: Int? = nil, computeMinutes: Double? = nil) {
        self.requests = requests
        self.tokens = tokens
        self.computeMinutes = computeMinutes
    }

    package static let unlimited = Quota()

    func checked() throws -> Quota {
        let isSound =
            requests ?? 0 >= 0 && tokens ?? 0 >= 0 && computeMinutes.map { $0 >= 0 && $0.isFinite } ?? true
        guard isSound else { throw AccessFault.invalid("A quota is a number, and not below 0.") }
        return self
    }
}

/// What an app has used of a day.
package struct QuotaUse: Codable, Hashable, Sendable {
    package var requests: Int
    package var tokens: Int
    package var computeSeconds: Double

    package init(requests: Int = 0, tokens: Int = 0, computeSeconds: Double = 0) {
        self.requests = requests
        self.tokens = tokens
        self.computeSeconds = computeSeconds
    }

    static func += (left: inout QuotaUse, right: QuotaUse) {
        left.requests += right.requests
        left.tokens += right.tokens
        left.computeSeconds += right.computeSeconds
    }
}
