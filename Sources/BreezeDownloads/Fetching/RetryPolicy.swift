/// How long to wait after failures in a row, and when to give up.
struct RetryPolicy {
    let options: DownloadOptions
    let jitter: @Sendable () -> Double
    private(set) var failures = 0

    init(_ options: DownloadOptions, jitter: @escaping @Sendable () -> Double) {
        self.options = options
        self.jitter = jitter
    }

    /// An attempt that brought so much is no failure in a row.
    mutating func brought(_ bytes: Int64) {
        if bytes >= 256 << 10 { failures = 0 }
    }

    /// The pause before the next attempt: doubled each time, and between half and all of that, so that many
    /// clients do not come back at once. `nil` is the end.
    mutating func afterFailure(asked: Duration? = nil) -> Duration? {
        failures += 1
        guard failures < options.failuresInARow else { return nil }
        if let asked {
            return asked <= options.longestRetryAfter ? asked : nil
        }
        let doubled = options.firstDelay * (1 << min(failures - 1, 20))
        return min(doubled, options.longestDelay) * (0.5 + jitter() / 2)
    }
}
