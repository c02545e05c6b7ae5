/// How often a duration fell where.
struct Histogram: Hashable, Sendable {
    /// Upper bounds in seconds, from a short text's embedding (about 1 ms) to the load of a large model or a long
    /// answer. Steps of 1, 2.5, 5 keep a quantile that is read from it within a factor of 2.5 at the price of 17
    /// series.
    static let bounds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100,
    ]

    /// One a bound, each without the ones below, and one for what is beyond the last.
    private(set) var counts = [Int](repeating: 0, count: Self.bounds.count + 1)
    private(set) var sum = 0.0

    var count: Int { counts.reduce(0, +) }

    /// A bound belongs to its own bucket, as Prometheus has it (`le`).
    mutating func observe(_ seconds: Double) {
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        counts[bucket] += 1
        sum += seconds
    }

    /// How many were no longer than each bound, and how many there were at all.
    var cumulative: [Int] {
        var total = 0
        return counts.map { count in
            total += count
            return total
        }
    }
}
