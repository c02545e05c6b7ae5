import BreezeTestSupport
import Testing

@testable import BreezeMailClassifier

@Suite struct HeadScoresTests {
    @Test func `what heads are worth is measured on mail that they never saw`() throws {
        // As many mails of each kind as there are folds' worth of, in three corpora.
        let mail = ["one", "two", "written"].flatMap { corpus in
            Fixtures.corpus.map { mail in
                var mail = mail
                mail.corpus = corpus
                return mail
            }
        }
        let scores = HeadScores(HeadTrainer(version: "test", encoder: "e", provenance: []), mail).measure()
        for name in [
            "in-domain area under curve", "in-domain recall at 0.4 % lost", "one to two area under curve",
            "two to one area under curve, words", "one to two best F1", "written area under curve",
            "written area under curve, phishing against wanted", "written category right",
        ] {
            #expect(scores[name] == 1, "\(name): \(scores[name] ?? -1)")
        }
        #expect(scores["flagged, written wanted"] == 0 && scores["flagged, one wanted"] == 0)
        #expect(try #require(scores["flagged, written phishing"]) > 0)
        // No corpus here has a part of its own.
        #expect(scores["in-domain hard ham lost at that"] == nil)
    }

    @Test func `labels that mean nothing are found to mean nothing`() throws {
        var generator = SeededGenerator(seed: 7)
        let mail = ["one", "two"].flatMap { corpus in
            (0..<100).map { _ in
                LabelledMail(
                    words: MailWords(subject: "", text: Bool.random(using: &generator) ? "tide" : "ebb"),
                    vector: (0..<8).map { _ in Float.random(in: -1...1, using: &generator) },
                    corpus: corpus,
                    isUnwanted: Bool.random(using: &generator),
                    isPhishing: Bool.random(using: &generator),
                    category: MailCategory.allCases.randomElement(using: &generator)
                )
            }
        }
        let scores = HeadScores(HeadTrainer(version: "test", encoder: "e", provenance: []), mail).measure()
        let found = try #require(scores["one to two area under curve"])
        #expect(found > 0.35 && found < 0.65)
    }
}
