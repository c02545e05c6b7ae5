import Foundation
import Testing

@testable import BreezeMailClassifier

@Suite struct EvaluationReportTests {
    private static func verdict(
        _ category: MailCategory = .primary,
        _ confidence: Double = 0.6,
        spam: Double = 0.1,
        phishing: Double = 0.05,
        missing: [MailVerdict.Missing] = []
    ) -> MailVerdict {
        MailVerdict(
            category: category,
            confidence: confidence,
            categories: [category: confidence],
            spam: MailVerdict.Risk(score: spam, flagged: spam >= 0.8),
            phishing: MailVerdict.Risk(score: phishing, flagged: phishing >= 0.8),
            evidence: [
                MailVerdict.Evidence(.category, "head", "a category", weight: 1),
                MailVerdict.Evidence(.phishing, "text", "fraud", weight: 4),
                MailVerdict.Evidence(.spam, "text", "first", weight: 5),
                MailVerdict.Evidence(.spam, "words", "second", weight: -4),
                MailVerdict.Evidence(.spam, "list", "third", weight: -3),
                MailVerdict.Evidence(.spam, "shortener", "fourth", weight: 2),
            ],
            missing: missing
        )
    }

    private static func judged(_ verdict: MailVerdict, _ label: MailLabel, _ file: String = "f") -> JudgedMail
    {
        JudgedMail(verdict, label, file: file, folder: label.name, seconds: 1)
    }

    private static func report(_ judged: [JudgedMail], errors: Int = 10) -> EvaluationReport {
        EvaluationReport(
            judged,
            by: MailClassifier(heads: Fixtures.heads),
            speed: SpeedFigures(
                verdicts: judged.map(\.seconds),
                wallSeconds: 1,
                processorSeconds: 1,
                peakResidentBytes: 1
            ),
            errors: errors
        )
    }

    /// What was said wrongly, about which question, and how certainly.
    private struct Wrong: Equatable, CustomTestStringConvertible {
        var said: String
        var question: MailVerdict.Question
        var certainty: Double

        var testDescription: String { said }
    }

    @Test(arguments: [
        (verdict(spam: 0.9), MailLabel(.wanted), [Wrong(said: "spam", question: .spam, certainty: 0.9)]),
        (
            verdict(spam: 0.85, phishing: 0.95), MailLabel(.wanted),
            [Wrong(said: "phishing", question: .phishing, certainty: 0.95)]
        ),
        (verdict(spam: 0.25), MailLabel(.spam), [Wrong(said: "wanted", question: .spam, certainty: 0.75)]),
        (
            verdict(spam: 0.25, phishing: 0.5), MailLabel(.phishing),
            [Wrong(said: "wanted", question: .phishing, certainty: 0.5)]
        ),
        (
            verdict(spam: 0.9, phishing: 0.25), MailLabel(.phishing),
            [Wrong(said: "spam", question: .phishing, certainty: 0.75)]
        ),
        (verdict(phishing: 0.9), MailLabel(.spam, category: .updates), []),
        (verdict(spam: 0.9, phishing: 0.9), MailLabel(.phishing), []),
        (verdict(.primary), MailLabel(.wanted), []),
        (verdict(.forums), MailLabel(.wanted, category: .forums), []),
        (
            verdict(.social, 0.7, spam: 0.9), MailLabel(.wanted, category: .forums),
            [
                Wrong(said: "spam", question: .spam, certainty: 0.9),
                Wrong(said: "social", question: .category, certainty: 0.7),
            ]
        ),
    ])
    private func `an answer is wrong where it is another than the label`(
        verdict: MailVerdict,
        label: MailLabel,
        expected: [Wrong]
    ) {
        let wrong = WrongVerdict.all(verdict, label, file: "f", folder: "d")
        #expect(
            wrong.map { Wrong(said: $0.said, question: $0.question, certainty: $0.certainty) } == expected
        )
        #expect(wrong.allSatisfy { $0.label == label.name && $0.file == "f" && $0.folder == "d" })
    }

    @Test func `the most certain wrong answers are kept, with what counted most`() {
        let mail = [
            Self.judged(Self.verdict(spam: 0.9), MailLabel(.wanted), "b"),
            Self.judged(Self.verdict(spam: 0.95), MailLabel(.wanted), "c"),
            Self.judged(Self.verdict(spam: 0.9), MailLabel(.wanted), "a"),
            Self.judged(Self.verdict(.forums, 0.99), MailLabel(.wanted, category: .updates), "d"),
        ]
        let errors = Self.report(mail, errors: 2).errors
        #expect(errors.map(\.file) == ["c", "a", "d"])
        #expect(errors[0].evidence.map(\.detail) == ["first", "second", "third"])
        #expect(errors[2].evidence.map(\.detail) == ["a category"])
        #expect(errors.map(\.about) == [.unwanted, .unwanted, .category])
        #expect(Self.report(mail, errors: 0).errors.isEmpty)
    }

    @Test
    func `spam is no part of the figures for phishing alone, and unwanted mail of those for categories`() {
        let report = Self.report([
            Self.judged(Self.verdict(.updates, 0.7), MailLabel(.wanted, category: .updates)),
            Self.judged(Self.verdict(.primary, 0.9), MailLabel(.wanted, category: .updates)),
            Self.judged(Self.verdict(spam: 0.9, missing: [.encoder]), MailLabel(.wanted)),
            Self.judged(
                Self.verdict(spam: 0.3, phishing: 0.9, missing: [.encoder, .headers]),
                MailLabel(.spam, category: .updates)
            ),
            Self.judged(Self.verdict(spam: 0.9, phishing: 0.2), MailLabel(.phishing)),
        ])
        #expect(report.counts == .init(messages: 5, wanted: 3, spam: 1, phishing: 1))
        #expect(report.missing == .init(encoder: 2, headers: 1))
        // Flagged as either: both unwanted ones, and one of three wanted ones.
        #expect(report.unwanted.recall.hits == 2 && report.unwanted.recall.count == 2)
        #expect(report.unwanted.falsePositiveRate.hits == 1 && report.unwanted.falsePositiveRate.count == 3)
        // The phish was called spam, and no wanted mail phishing.
        #expect(report.phishing.recall.hits == 0 && report.phishing.recall.count == 1)
        #expect(report.phishing.falsePositiveRate.hits == 0 && report.phishing.negatives == 3)
        #expect(report.calibration.spam.count == 5 && report.calibration.phishing.count == 4)
        #expect(report.categories.messages == 2 && report.categories.accuracy.hits == 1)
        // 0.7 was right and 0.9 wrong: (0.3 + 0.9) / 2.
        #expect(report.calibration.category.expectedError.map { ($0 - 0.6).magnitude < 1e-12 } == true)
        #expect(report.folders.map(\.name) == ["phishing", "spam", "updates", "wanted"])
        #expect(report.folders.map(\.flagged.hits) == [1, 1, 0, 1])
        #expect(report.folders.map(\.flaggedAsPhishing) == [0, 1, 0, 0])
        #expect(report.errors.map(\.about) == [.unwanted, .phishing, .category])
        #expect(report.heads.encoder == "e" && report.notes.contains { $0.contains("social") })
    }

    @Test func `a report of nothing is JSON all the same`() throws {
        let data = try JSONEncoder().encode(Self.report([]))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect((object["unwanted"] as? [String: Any])?["areaUnderCurve"] == nil)
        #expect((object["folders"] as? [Any])?.isEmpty == true)
        let counts = (object["categories"] as? [String: Any])?["counts"] as? [String: [String: Int]]
        #expect(counts?["social"]?["forums"] == 0)
        #expect(try JSONDecoder().decode(EvaluationReport.self, from: data).counts.messages == 0)
    }
}

@Suite struct RawMessageTests {
    private static func message(_ text: String) -> RawMessage { RawMessage(Array(text.utf8)) }

    @Test(arguments: [
        ("Message-ID: <1@a.example>\n\nhello", "1@a.example"),
        ("From: a\r\nMESSAGE-Id:<1@a.example>\r\n\r\nhello", "1@a.example"),
        ("Message-ID:\r\n\t<1@a.example>\r\nSubject: x\r\n\r\n", "1@a.example"),
        ("Message-ID: <1@\n a.example>\n\n", "1@a.example"),
        ("Message-ID: <1@a.example>", "1@a.example"),
        ("References: <0@a.example>\nmessage-id: <1@a.example> (kept)\n\n", "1@a.example"),
        ("X-Message-ID: <1@a.example>\n\n", nil),
        ("Subject: x\n\nMessage-ID: <1@a.example>\n", nil),
        ("Message-ID: 1@a.example\nIn-Reply-To: <0@a.example>\n\n", nil),
        ("Message-ID: <>\n\n", nil), ("Message-ID: <1@a.example\n\n", nil), ("", nil),
    ])
    func `the Message-ID stands in the headers, perhaps folded`(text: String, id: String?) {
        #expect(Self.message(text).messageID == id)
    }

    @Test func `a Message-ID far behind is not looked for`() {
        let filler = "X-Filler: " + String(repeating: "x", count: 64 << 10) + "\n"
        #expect(Self.message(filler + "Message-ID: <1@a.example>\n\n").messageID == nil)
    }

    @Test func `bodies are one where they differ in white space alone`() {
        let one = Self.message("Subject: a\n\nSee you\nat  six.\n").bodyFingerprint
        #expect(one != nil)
        #expect(Self.message("Subject: b\r\nX: y\r\n\r\n  See\tyou at\r\nsix.").bodyFingerprint == one)
        #expect(Self.message("Subject: a\n\nSee you at seven.\n").bodyFingerprint != one)
        #expect(Self.message("Subject: a\n\nSeeyou at six.\n").bodyFingerprint != one)
    }

    @Test(arguments: ["Subject: a\n\n", "Subject: a\n\n \r\n\t\n", "Subject: a\n", ""])
    func `messages without a body are not the same message`(text: String) {
        #expect(Self.message(text).bodyFingerprint == nil)
    }
}
