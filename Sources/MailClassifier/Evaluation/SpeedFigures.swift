/// What judging took.
public struct SpeedFigures: Codable, Hashable, Sendable {
    public var messages: Int
    public var wallSeconds: Double
    /// Of this process and of all that it started.
    public var processorSeconds: Double
    /// `nil` where the clock saw nothing.
    public var messagesPerProcessorSecond: Double?
    /// Of this process alone, the most that it ever held.
    public var peakResidentBytes: Int64
    /// Half of the verdicts took no longer, once the vector was there; `nil` without any, as is the next.
    public var verdictMedianSeconds: Double?
    /// Of twenty verdicts nineteen took no longer.
    public var verdictSlowSeconds: Double?

    public init(
        verdicts: [Double],
        wallSeconds: Double,
        processorSeconds: Double,
        peakResidentBytes: Int64
    ) {
        messages = verdicts.count
        self.wallSeconds = wallSeconds
        self.processorSeconds = processorSeconds
        self.peakResidentBytes = peakResidentBytes
        messagesPerProcessorSecond = processorSeconds > 0 ? Double(verdicts.count) / processorSeconds : nil
        let sorted = verdicts.sorted()
        verdictMedianSeconds = Self.percentile(50, of: sorted)
        verdictSlowSeconds = Self.percentile(95, of: sorted)
    }

    /// The smallest that no fewer than `percent` of them exceed (nearest rank).
    static func percentile(_ percent: Int, of sorted: [Double]) -> Double? {
        guard !sorted.isEmpty else { return nil }
        let rank = (percent * sorted.count + 99) / 100
        return sorted[max(1, rank) - 1]
    }
}
