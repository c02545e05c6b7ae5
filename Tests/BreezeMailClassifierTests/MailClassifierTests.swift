import BreezeMail
import BreezeMailSigns
import Foundation
import Testing

@testable import BreezeMailClassifier

@Suite struct MailClassifierTests {
    private let classifier = MailClassifier(heads: Fixtures.heads)

    @Test(arguments: [
        (2, "dinner at eight on friday", MailCategory.primary),
        (3, "half price on all our boots", .promotions),
        (4, "your parcel leaves the house", .updates), (5, "she follows your pictures now", .social),
        (6, "the patch does not apply here", .forums),
    ])
    func `the text's category is the head's where nothing says who sends`(
        direction: Int,
        text: String,
        category: MailCategory
    ) {
        var facts = Fixtures.facts(text)
        // No more known of the sender than that it writes to one.
        let verdict = classifier.verdict(facts, vector: Fixtures.vector(direction))
        #expect(verdict.category == category || category != .primary && verdict.category == .primary)
        facts.bulk.findings = [BulkSigns.Finding(.list, "List-Id a.example")]
        #expect(classifier.verdict(facts, vector: Fixtures.vector(direction)).category == .forums)
        facts.bulk.findings = [BulkSigns.Finding(.social, "facebook.com")]
        let social = classifier.verdict(facts, vector: nil)
        #expect(social.category == .social && social.missing == [.encoder])
        #expect(social.evidence.contains { $0.about == .category && $0.detail == "facebook.com" })
    }

    @Test func `words and meaning raise what they were trained to find`() {
        let spam = classifier.verdict(Fixtures.facts("cheap pills for everybody"), vector: Fixtures.vector(0))
        let phish = classifier.verdict(
            Fixtures.facts("confirm your password at once"),
            vector: Fixtures.vector(1)
        )
        let dinner = classifier.verdict(
            Fixtures.facts("dinner at eight on friday"),
            vector: Fixtures.vector(2)
        )
        #expect(spam.spam.score > 0.5 && spam.spam.score > 10 * dinner.spam.score)
        #expect(phish.phishing.score > 10 * dinner.phishing.score)
        #expect(spam.phishing.score < phish.phishing.score)
        #expect(spam.evidence.contains { $0.kind == "words" && $0.detail.contains("pills") })
    }

    @Test func `a pass of the sender's authentication changes nothing, and a failure does`() {
        func verdict(_ results: [String]) -> MailVerdict {
            classifier.verdict(
                Fixtures.facts("confirm your password at once") { $0.authentication.results = results },
                vector: Fixtures.vector(1)
            )
        }
        let unknown = verdict([])
        let passed = verdict(["mx.example; spf=pass; dkim=pass header.d=mail.example; dmarc=pass"])
        let failed = verdict(["mx.example; spf=fail; dkim=fail header.d=mail.example; dmarc=fail"])
        #expect(passed.phishing == unknown.phishing && passed.spam == unknown.spam)
        #expect(failed.phishing.score > unknown.phishing.score && failed.spam.score > unknown.spam.score)
        #expect(failed.evidence.contains { $0.kind == "dmarc_fail" && $0.weight > 0 })
    }

    @Test func `a way out of the list speaks for the sender, and not for one whose authentication failed`() {
        func score(_ results: [String], unsubscribe: Bool) -> Double {
            classifier.verdict(
                Fixtures.facts("cheap pills for everybody") {
                    $0.authentication.results = results
                    $0.list.unsubscribe = unsubscribe ? "<https://mail.example/out>" : nil
                },
                vector: Fixtures.vector(0)
            ).spam.score
        }
        #expect(score([], unsubscribe: true) < score([], unsubscribe: false))
        let failed = ["mx.example; dmarc=fail"]
        #expect(score(failed, unsubscribe: true) == score(failed, unsubscribe: false))
    }

    @Test func `what counted adds up to the probability`() {
        let facts = Fixtures.facts("confirm your password at once") {
            $0.from = [MailAddress(name: "PayPal", address: "a@mail.example")]
            $0.list.unsubscribe = "<https://mail.example/out>"
        }
        let verdict = classifier.verdict(facts, vector: Fixtures.vector(1))
        for (question, risk, prior) in [
            (MailVerdict.Question.spam, verdict.spam, MailClassifier.prior.spam),
            (.phishing, verdict.phishing, MailClassifier.prior.phishing),
        ] {
            let counted = verdict.evidence.filter { $0.about == question && $0.kind != "words" }
            let odds = counted.reduce(prior) { $0 + $1.weight }
            #expect((1 / (1 + exp(-odds)) - risk.score).magnitude < 1e-12)
        }
        #expect(verdict.phishing.flagged == (verdict.phishing.score >= classifier.thresholds.phishing))
    }

    @Test func `a message without a text is judged by its sender alone`() {
        let verdict = classifier.verdict(Fixtures.facts(""), vector: Fixtures.vector(0))
        #expect(!verdict.evidence.contains { $0.kind == "text" || $0.kind == "words" || $0.kind == "head" })
        #expect(verdict.category == .primary)
        #expect(
            (verdict.spam.score - 0.2).magnitude < 1e-9 && (verdict.phishing.score - 0.02).magnitude < 1e-9
        )
    }

    @Test func `a vector of another encoder is none`() {
        let facts = Fixtures.facts("dinner at eight on friday")
        let other = classifier.verdict(facts, vector: [1, 0, 0])
        #expect(other == classifier.verdict(facts, vector: nil))
        #expect(other.missing == [.encoder])
    }

    @Test func `what an index has is judged without headers, and says so`() {
        let facts = MailFacts(
            subject: "",
            text: "the patch does not apply here",
            sender: MailAddress(name: nil, address: "ada@mail.example"),
            list: "dev.example"
        )
        let verdict = classifier.verdict(facts, vector: Fixtures.vector(6))
        #expect(verdict.category == .forums && verdict.missing == [.headers])
    }
}
