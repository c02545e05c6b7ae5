public import Foundation

/// How often a request is sent again that the service certainly did not work on: it was turned away (429, or 503
/// with a time to come back), or nobody took the connection. What may have run is never sent again.
public struct RetryPolicy: Sendable {
    /// The first one counted.
    public var attempts: Int
    /// Doubled each time, up to ``longestWait``, and then shortened by up to a half at random, so that many that were
    /// turned away together do not come back together.
    public var firstWait: Duration
    /// A service that asks for a longer one gets no second request: its time is in the error.
    public var longestWait: Duration
    /// 0..<1.
    let random: @Sendable () -> Double
    /// What an HTTP date in `Retry-After` is counted from.
    let now: @Sendable () -> Date

    public init(
        attempts: Int = 3,
        firstWait: Duration = .milliseconds(500),
        longestWait: Duration = .seconds(20),
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.random = random
        self.now = now
    }

    /// Each request is sent once.
    public static let never = RetryPolicy(attempts: 1)

    /// How long to wait before the next attempt; `nil` where there is none. `asked` is the service's own time.
    func wait(after attempt: Int, asked: Duration?) -> Duration? {
        guard attempt < attempts else { return nil }
        if let asked { return asked <= longestWait ? max(asked, .zero) : nil }
        let doubled = firstWait * Int32(clamping: 1 << min(attempt - 1, 20))
        return min(doubled, longestWait) * (1 - random() / 2)
    }

    /// Seconds, or one of the three forms of an HTTP date (RFC 9110, sections 5.6.7 and 10.2.3); `nil` for what is
    /// neither. A date that has passed is now.
    func retryAfter(_ value: String?, milliseconds: String? = nil) -> Duration? {
        if let number = milliseconds.flatMap({ Double($0) }), (0...1e12).contains(number) {
            return .milliseconds(number)
        }
        guard let value = value?.trimmingCharacters(in: .whitespaces), !value.isEmpty else { return nil }
        if let seconds = Double(value) {
            return (0...1e9).contains(seconds) ? .seconds(seconds) : nil
        }
        guard let date = Self.date(value) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now())))
    }

    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for format in [
            "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM d HH:mm:ss yyyy",
        ] {
            formatter.dateFormat = format
            if let date = formatter.date(from: text) { return date }
        }
        return nil
    }
}
