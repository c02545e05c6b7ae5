/// So many of so many, and where the share of all such mail lies.
public struct MeasuredShare: Codable, Hashable, Sendable {
    public var hits: Int
    public var count: Int
    /// `nil` of nothing, as are the ends of the interval.
    public var value: Double?
    /// With 95 % confidence (Wilson).
    public var low: Double?
    public var high: Double?

    public init(_ hits: Int, of count: Int) {
        self.hits = hits
        self.count = count
        guard count > 0 else { return }
        let interval = Confusion.interval(hits, of: count)
        (value, low, high) = (Double(hits) / Double(count), interval.lowerBound, interval.upperBound)
    }
}
