import BreezeMailSigns
import Testing

@testable import BreezeMailClassifier

@Suite struct PersonalJudgementTests {
    private let classifier = MailClassifier(heads: Fixtures.heads)

    /// What a letter is that the head is as sure of as it can be, after the owner said `words` of its sender's others.
    private func verdict(after words: [OwnersWord]) -> MailVerdict {
        let facts = Fixtures.facts("dinner at eight on friday")
        let judged = classifier.verdict(facts, vector: Fixtures.vector(2))
        let judgement = PersonalJudgement(
            rules: [],
            lessons: words.map { Lesson($0, of: judged, sender: facts.sender, list: nil, embedding: nil) },
            contacts: [],
            classifier: classifier
        )
        return judgement.verdict(
            judged,
            of: PersonalJudgement.Traits(messageID: "2@x.example", sender: facts.sender, list: nil),
            vector: Fixtures.vector(2)
        )
    }

    @Test func `one word about a sender outweighs the surest text`() {
        #expect(verdict(after: []).category == .primary && verdict(after: []).confidence > 0.9)
        let said = verdict(after: [.category(.updates)])
        #expect(said.category == .updates)
        #expect(said.evidence.contains { $0.kind == "corrections" })
        #expect(verdict(after: [.category(.updates), .category(.updates)]).confidence > said.confidence)
    }

    @Test func `words that contradict each other take each other back`() {
        let both = verdict(after: [.category(.updates), .category(.forums)])
        let odds = both.categories[.updates, default: 0] / both.categories[.forums, default: 1]
        let before = verdict(after: [])
        let oddsBefore = before.categories[.updates, default: 0] / before.categories[.forums, default: 1]
        #expect(abs(odds - oddsBefore) < 1e-9)
    }
}
