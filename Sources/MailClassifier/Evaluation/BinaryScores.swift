import Foundation

/// How well numbers tell two classes apart: higher ones should be those of `true`.
public struct BinaryScores: Sendable {
    private let scores: [Double]
    private let labels: [Bool]

    public init(_ scores: [Double], _ labels: [Bool]) {
        precondition(scores.count == labels.count, "a label for each score")
        self.scores = scores
        self.labels = labels
    }

    /// The probability that of a pair the one that is `true` has the higher score; equal scores count half
    /// (Mann and Whitney). `nil` where a class is missing.
    public var areaUnderCurve: Double? {
        let order = scores.indices.sorted { scores[$0] < scores[$1] }
        var (rankSum, positives, at) = (0.0, 0, 0)
        while at < order.count {
            var end = at
            while end < order.count, scores[order[end]] == scores[order[at]] { end += 1 }
            // Ranks count from 1, and equal ones share their mean.
            let rank = Double(at + 1 + end) / 2
            for index in order[at..<end] where labels[index] {
                rankSum += rank
                positives += 1
            }
            at = end
        }
        let negatives = labels.count - positives
        guard positives > 0, negatives > 0 else { return nil }
        return (rankSum - Double(positives * (positives + 1)) / 2) / Double(positives * negatives)
    }

    public func confusion(at threshold: Double) -> Confusion {
        var confusion = Confusion()
        for (score, label) in zip(scores, labels) {
            switch (score >= threshold, label) {
            case (true, true): confusion.truePositives += 1
            case (true, false): confusion.falsePositives += 1
            case (false, true): confusion.falseNegatives += 1
            case (false, false): confusion.trueNegatives += 1
            }
        }
        return confusion
    }

    /// The threshold with the highest F1, and that.
    public var best: (threshold: Double, f1: Double) {
        let order = scores.indices.sorted { scores[$0] > scores[$1] }
        let positives = labels.count { $0 }
        var (found, best, threshold) = (0, 0.0, Double.infinity)
        for (rank, index) in order.enumerated() {
            if labels[index] { found += 1 }
            let isLast = rank + 1 == order.count || scores[order[rank + 1]] < scores[index]
            let f1 = 2 * Double(found) / Double(rank + 1 + positives)
            if isLast, f1 > best { (best, threshold) = (f1, scores[index]) }
        }
        return (threshold, best)
    }

    /// The lowest threshold at which no more than `share` of those that are `false` reach it.
    public func threshold(falsePositives share: Double) -> Double {
        let negatives = zip(scores, labels).filter { !$0.1 }.map(\.0).sorted(by: >)
        let allowed = Int(share * Double(negatives.count))
        return allowed < negatives.count ? negatives[allowed].nextUp : -.infinity
    }

    /// Probabilities against what was: the mean of the distances, weighed by how many lie in each of `bins`.
    public func calibrationError(bins: Int = 10) -> Double {
        CalibrationTable(scores, labels, bins: bins).expectedError ?? 0
    }
}

public struct Confusion: Codable, Hashable, Sendable {
    public var truePositives = 0
    public var falsePositives = 0
    public var falseNegatives = 0
    public var trueNegatives = 0

    public init() {}

    /// `nil` where there is nothing to find.
    public var recall: Double? { Self.share(truePositives, falseNegatives) }
    public var precision: Double? { Self.share(truePositives, falsePositives) }
    public var falsePositiveRate: Double? { Self.share(falsePositives, trueNegatives) }

    public var f1: Double? {
        let all = 2 * truePositives + falsePositives + falseNegatives
        return all > 0 ? 2 * Double(truePositives) / Double(all) : nil
    }

    private static func share(_ part: Int, _ rest: Int) -> Double? {
        part + rest > 0 ? Double(part) / Double(part + rest) : nil
    }

    /// Where a share of `hits` in `count` truly lies, with 95 % confidence (Wilson).
    public static func interval(_ hits: Int, of count: Int) -> ClosedRange<Double> {
        guard count > 0 else { return 0...1 }
        let (z, n) = (1.959_964, Double(count))
        let p = Double(hits) / n
        let centre = (p + z * z / (2 * n)) / (1 + z * z / n)
        let half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
        return max(0, centre - half)...min(1, centre + half)
    }
}
