import Testing

@testable import BreezeMailClassifier

@Suite struct BinaryScoresTests {
    /// scikit-learn's `roc_auc_score` gives 0.7222 for it.
    private let scores = BinaryScores(
        [0.1, 0.4, 0.4, 0.8, 0.2, 0.3],
        [false, true, false, true, true, false]
    )

    @Test func `equal scores count half in the area under the curve`() throws {
        #expect((try #require(scores.areaUnderCurve) - 0.7222222222222222).magnitude < 1e-12)
        #expect(BinaryScores([1, 2], [true, true]).areaUnderCurve == nil)
    }

    @Test func `a threshold tells found from missed`() {
        let confusion = scores.confusion(at: 0.4)
        #expect(confusion.truePositives == 2 && confusion.falsePositives == 1)
        #expect(confusion.falseNegatives == 1 && confusion.trueNegatives == 2)
        #expect(confusion.recall == 2.0 / 3 && confusion.precision == 2.0 / 3)
        #expect(confusion.falsePositiveRate == 1.0 / 3)
        #expect(Confusion().recall == nil && Confusion().f1 == nil)
    }

    @Test func `the best threshold is one of the scores`() {
        // At 0.2 all three are found, with two that are not: 2 * 3 / (5 + 3).
        #expect(scores.best.threshold == 0.2 && scores.best.f1 == 0.75)
    }

    @Test func `a share of false positives is kept below`() {
        let scores = BinaryScores((0..<1_000).map(Double.init), (0..<1_000).map { $0 % 2 == 0 })
        for share in [0, 0.01, 0.2, 1] {
            let found = scores.confusion(at: scores.threshold(falsePositives: share))
            #expect(found.falsePositives == Int(share * 500))
        }
    }

    @Test func `an interval of a share is Wilson's`() {
        // 8 of 250: 1.63 to 6.18 per cent by the formula, worked out by hand.
        let interval = Confusion.interval(8, of: 250)
        #expect(
            (interval.lowerBound - 0.0163).magnitude < 5e-5 && (interval.upperBound - 0.0618).magnitude < 5e-4
        )
        #expect(Confusion.interval(0, of: 0) == 0...1)
    }

    @Test func `probabilities that say what happens have no error`() {
        let even = BinaryScores([0.25, 0.25, 0.25, 0.25], [true, false, false, false])
        #expect(even.calibrationError() == 0)
        #expect(BinaryScores([0.95, 0.95], [false, false]).calibrationError() == 0.95)
    }
}
