/// Probabilities against how often what they speak of was so.
public struct CalibrationTable: Codable, Hashable, Sendable {
    public var count: Int
    /// Of equal width, from 0 to 1; a score on a border counts to the upper one.
    public var bins: [Bin]
    /// The mean distance between score and share, weighed by how many lie in each bin; `nil` where nothing does.
    public var expectedError: Double?

    public struct Bin: Codable, Hashable, Sendable {
        public var from: Double
        public var to: Double
        public var count: Int
        /// `nil` where nothing lies in it, as is the share.
        public var meanScore: Double?
        public var share: Double?
    }

    public init(_ scores: [Double], _ outcomes: [Bool], bins: Int = 10) {
        precondition(scores.count == outcomes.count, "an outcome for each score")
        var sums = [(score: Double, hits: Int, count: Int)](repeating: (0, 0, 0), count: bins)
        for (score, outcome) in zip(scores, outcomes) {
            let bin = min(bins - 1, max(0, Int(score * Double(bins))))
            sums[bin].score += score
            sums[bin].hits += outcome ? 1 : 0
            sums[bin].count += 1
        }
        count = scores.count
        self.bins = sums.enumerated().map { index, sum in
            let isEmpty = sum.count == 0
            return Bin(
                from: Double(index) / Double(bins),
                to: Double(index + 1) / Double(bins),
                count: sum.count,
                meanScore: isEmpty ? nil : sum.score / Double(sum.count),
                share: isEmpty ? nil : Double(sum.hits) / Double(sum.count)
            )
        }
        guard !scores.isEmpty else { return }
        let distance = sums.reduce(0) { $0 + ($1.score - Double($1.hits)).magnitude }
        expectedError = distance / Double(scores.count)
    }
}
