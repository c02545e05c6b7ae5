import Foundation
import Testing

@testable import BreezeMailClassifier

@Suite struct EvaluationTests {
    private static func answers(_ scores: [Double], isPositive: Bool) -> [RiskFigures.Answer] {
        scores.map { RiskFigures.Answer(score: $0, isFlagged: $0 >= 0.8, isPositive: isPositive) }
    }

    private static func isClose(_ value: Double?, _ expected: Double) -> Bool {
        value.map { ($0 - expected).magnitude < 1e-12 } ?? false
    }

    @Test func `equal scores of both kinds count half, and are flagged together`() throws {
        let figures = RiskFigures(
            Self.answers([0.1, 0.5, 0.9], isPositive: false)
                + Self.answers([0.5, 0.9, 0.95], isPositive: true)
        )
        #expect(figures.positives == 3 && figures.negatives == 3)
        // From 0.8 on: 0.9 and 0.95 of the unwanted, 0.9 of the wanted.
        #expect(figures.recall.hits == 2 && figures.recall.value == 2.0 / 3)
        #expect(figures.precision?.hits == 2 && figures.precision?.count == 3)
        #expect(figures.falsePositiveRate.hits == 1 && figures.falsePositiveRate.value == 1.0 / 3)
        // 2 * 2 / (3 flagged + 3 unwanted)
        #expect(figures.f1 == 4.0 / 6)
        // Of nine pairs: 0.5 wins 1 and ties 1, 0.9 wins 2 and ties 1, 0.95 wins 3.
        #expect(Self.isClose(figures.areaUnderCurve, 7.0 / 9))
        // From 0.95 on 2/4, from 0.9 4/6, from 0.5 6/8, from 0.1 6/9.
        #expect(figures.best == RiskFigures.Best(threshold: 0.5, f1: 0.75))
        // Of three wanted messages 0.4 % are none, so that 0.9 is too low: 0.95 alone.
        let strict = try #require(figures.strict)
        #expect(strict.threshold > 0.9 && strict.threshold < 0.95)
        #expect(strict.recall.hits == 1 && strict.falsePositives == 0.004)
    }

    @Test func `of 250 wanted messages one may be flagged`() throws {
        // 0.4 % of 250 is 1: the wanted 0.9 may be flagged, the next at 0.5 may not.
        let wanted = [0.9, 0.5] + [Double](repeating: 0.1, count: 248)
        let figures = RiskFigures(
            Self.answers(wanted, isPositive: false)
                + Self.answers([0.4, 0.6, 0.7, 0.95], isPositive: true)
        )
        let strict = try #require(figures.strict)
        #expect(strict.recall.hits == 3 && strict.threshold > 0.5 && strict.threshold < 0.6)
    }

    @Test func `without one of the kinds what says nothing is absent`() throws {
        let wanted = RiskFigures(Self.answers([0.1, 0.9], isPositive: false))
        #expect(wanted.recall.value == nil && wanted.recall.low == nil)
        #expect(wanted.falsePositiveRate.value == 0.5 && wanted.precision?.value == 0)
        #expect(
            wanted.f1 == nil && wanted.areaUnderCurve == nil && wanted.best == nil && wanted.strict == nil
        )
        let unwanted = RiskFigures(Self.answers([0.1, 0.9], isPositive: true))
        #expect(unwanted.recall.value == 0.5 && unwanted.falsePositiveRate.value == nil)
        #expect(unwanted.precision == nil && unwanted.f1 == nil && unwanted.best == nil)
        let nothing = RiskFigures([])
        #expect(nothing.recall.value == nil && nothing.precision == nil && nothing.areaUnderCurve == nil)
        // The encoder refuses what is no number.
        for figures in [wanted, unwanted, nothing] {
            let data = try JSONEncoder().encode(figures)
            #expect(try JSONDecoder().decode(RiskFigures.self, from: data) == figures)
        }
    }

    @Test func `a share has Wilson's interval, and one of nothing has none`() {
        // 8 of 250, worked out by hand in the tests of the interval: 1.63 to 6.18 per cent.
        let share = MeasuredShare(8, of: 250)
        #expect(share.value == 0.032)
        #expect(share.low.map { ($0 - 0.0163).magnitude < 5e-5 } == true)
        #expect(share.high.map { ($0 - 0.0618).magnitude < 5e-4 } == true)
        #expect(MeasuredShare(0, of: 0) == MeasuredShare(0, of: 0) && MeasuredShare(0, of: 0).value == nil)
        #expect(MeasuredShare(0, of: 0).high == nil)
    }

    @Test func `categories are counted by what they are and what was said`() {
        let confusion = CategoryConfusion([
            (.primary, .primary), (.primary, .updates), (.updates, .updates), (.promotions, .primary),
            (.forums, .forums),
        ])
        #expect(confusion.messages == 5 && confusion.accuracy.hits == 3)
        #expect(confusion.counts[.primary]?[.updates] == 1 && confusion.counts[.promotions]?[.primary] == 1)
        #expect(confusion.counts.values.flatMap(\.values).count == 25)
        #expect(confusion.counts.values.flatMap(\.values).reduce(0, +) == 5)
        // Primary was said twice, once rightly, and is two messages, one of them found.
        let primary = confusion.categories[.primary]
        #expect(primary?.precision == 0.5 && primary?.recall == 0.5 && primary?.f1 == 0.5)
        // Updates was said twice, once rightly: 2 / (2 + 1).
        #expect(confusion.categories[.updates]?.recall == 1 && confusion.categories[.updates]?.f1 == 2.0 / 3)
        // Promotions was never said, and its one message is lost.
        let promotions = confusion.categories[.promotions]
        #expect(promotions?.precision == nil && promotions?.recall == 0 && promotions?.f1 == 0)
        #expect(confusion.categories[.social] == CategoryConfusion.Figures(messages: 0))
        // (1/2 + 2/3 + 0 + 1) / 4, since no mail is social.
        #expect(Self.isClose(confusion.macroF1, 13.0 / 24))
    }

    @Test func `without a category there is no accuracy`() {
        let confusion = CategoryConfusion([])
        #expect(confusion.accuracy.value == nil && confusion.macroF1 == nil && confusion.messages == 0)
    }

    @Test func `probabilities are held against what was, bin by bin`() {
        let table = CalibrationTable([0.05, 0.15, 0.15, 0.95, 1], [false, true, false, true, true])
        #expect(table.bins.count == 10 && table.bins.map(\.count) == [1, 2, 0, 0, 0, 0, 0, 0, 0, 2])
        #expect(table.bins[0].meanScore == 0.05 && table.bins[0].share == 0)
        #expect(table.bins[1].meanScore == 0.15 && table.bins[1].share == 0.5)
        #expect(table.bins[2].meanScore == nil && table.bins[2].share == nil)
        #expect(Self.isClose(table.bins[9].meanScore, 0.975) && table.bins[9].share == 1)
        // (1 * 0.05 + 2 * 0.35 + 2 * 0.025) / 5
        #expect(Self.isClose(table.expectedError, 0.16))
        #expect(CalibrationTable([0.5], [true]).bins[5].count == 1)
        #expect(CalibrationTable([], []).expectedError == nil)
    }

    @Test
    func `half of the verdicts are no slower than the median, and nineteen of twenty than the slow one`() {
        let speed = SpeedFigures(
            verdicts: (1...20).reversed().map(Double.init),
            wallSeconds: 8,
            processorSeconds: 5,
            peakResidentBytes: 1
        )
        #expect(speed.messages == 20 && speed.messagesPerProcessorSecond == 4)
        // Nearest rank: of twenty the tenth and the nineteenth.
        #expect(speed.verdictMedianSeconds == 10 && speed.verdictSlowSeconds == 19)
        #expect(SpeedFigures.percentile(95, of: [7]) == 7 && SpeedFigures.percentile(50, of: [3, 4, 5]) == 4)
        let none = SpeedFigures(verdicts: [], wallSeconds: 0, processorSeconds: 0, peakResidentBytes: 0)
        #expect(none.verdictMedianSeconds == nil && none.messagesPerProcessorSecond == nil)
    }

    @Test(arguments: [
        ("Ham", MailLabel(.wanted)), ("wanted", MailLabel(.wanted)), ("SPAM", MailLabel(.spam)),
        ("phish", MailLabel(.phishing)), ("phishing", MailLabel(.phishing)),
        ("Social", MailLabel(.wanted, category: .social)), ("hamm", nil), ("", nil),
    ])
    func `a label is known in any case`(name: String, label: MailLabel?) {
        #expect(MailLabel(name: name) == label)
    }

    @Test func `every name that is told is known`() {
        #expect(MailLabel.names.count == 10 && MailLabel.names.allSatisfy { MailLabel(name: $0) != nil })
    }
}
