/// How well unwanted mail of a kind is told from wanted mail.
public struct RiskFigures: Codable, Hashable, Sendable {
    public var positives: Int
    public var negatives: Int
    /// By what was flagged.
    public var confusion: Confusion
    public var recall: MeasuredShare
    /// For the mixture that was tried. `nil` without wanted mail, where it says nothing; so are the following.
    public var precision: MeasuredShare?
    public var f1: Double?
    public var falsePositiveRate: MeasuredShare
    /// `nil` where a class is missing; so are the following.
    public var areaUnderCurve: Double?
    public var best: Best?
    public var strict: Strict?

    /// The highest F1, by a threshold that was chosen with these labels in sight.
    public struct Best: Codable, Hashable, Sendable {
        public var threshold: Double
        public var f1: Double
    }

    /// What is still found where hardly any wanted mail may be flagged.
    public struct Strict: Codable, Hashable, Sendable {
        /// The largest share of wanted mail that may be flagged; of fewer than 250 none may.
        public var falsePositives: Double
        public var threshold: Double
        public var recall: MeasuredShare
    }

    /// The share of wanted mail that ``Strict`` allows.
    public static let fewFalsePositives = 0.004

    /// One message's answer: flagged by the thresholds that ship.
    public struct Answer: Hashable, Sendable {
        public var score: Double
        public var isFlagged: Bool
        public var isPositive: Bool

        public init(score: Double, isFlagged: Bool, isPositive: Bool) {
            self.score = score
            self.isFlagged = isFlagged
            self.isPositive = isPositive
        }
    }

    public init(_ answers: [Answer]) {
        let flags = BinaryScores(answers.map { $0.isFlagged ? 1 : 0 }, answers.map(\.isPositive))
        confusion = flags.confusion(at: 1)
        positives = confusion.truePositives + confusion.falseNegatives
        negatives = confusion.falsePositives + confusion.trueNegatives
        recall = MeasuredShare(confusion.truePositives, of: positives)
        falsePositiveRate = MeasuredShare(confusion.falsePositives, of: negatives)
        guard negatives > 0 else { return }
        precision = MeasuredShare(
            confusion.truePositives,
            of: confusion.truePositives + confusion.falsePositives
        )
        guard positives > 0 else { return }
        f1 = confusion.f1
        let scores = BinaryScores(answers.map(\.score), answers.map(\.isPositive))
        areaUnderCurve = scores.areaUnderCurve
        best = Best(threshold: scores.best.threshold, f1: scores.best.f1)
        let threshold = scores.threshold(falsePositives: Self.fewFalsePositives)
        strict = Strict(
            falsePositives: Self.fewFalsePositives,
            threshold: threshold,
            recall: MeasuredShare(scores.confusion(at: threshold).truePositives, of: positives)
        )
    }
}
