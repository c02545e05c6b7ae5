/// An answer that was wrong, and what it was made of.
public struct WrongVerdict: Codable, Hashable, Sendable {
    public var about: Subject
    public var file: String
    public var folder: String
    public var label: String
    public var said: String
    public var question: MailVerdict.Question
    /// The question's probability.
    public var score: Double
    /// How probable the wrong answer was held to be.
    public var certainty: Double
    /// The most telling first.
    public var evidence: [MailVerdict.Evidence]

    /// What it was wrong about, the worst first.
    public enum Subject: String, Codable, CaseIterable, Hashable, Sendable {
        /// Whether the mail is unwanted.
        case unwanted
        /// Phish that was flagged, and as spam alone.
        case phishing
        /// The category of wanted mail.
        case category
    }

    private static let evidenceKept = 3

    /// At most one for whether the mail is unwanted and of which kind, and one for its category.
    static func all(
        _ verdict: MailVerdict,
        _ label: MailLabel,
        file: String,
        folder: String
    ) -> [WrongVerdict] {
        func wrong(_ about: Subject, _ said: String, _ question: MailVerdict.Question, _ score: Double)
            -> WrongVerdict
        {
            WrongVerdict(
                about: about,
                file: file,
                folder: folder,
                label: label.name,
                said: said,
                question: question,
                score: score,
                certainty: said == question.rawValue || about == .category ? score : 1 - score,
                evidence: Array(verdict.evidence.filter { $0.about == question }.prefix(evidenceKept))
            )
        }
        var found: [WrongVerdict] = []
        let (spam, phishing) = (verdict.spam, verdict.phishing)
        let likelier: (question: MailVerdict.Question, score: Double) =
            phishing.score > spam.score ? (.phishing, phishing.score) : (.spam, spam.score)
        switch (label.kind, spam.flagged || phishing.flagged) {
        case (.wanted, true) where phishing.flagged && (!spam.flagged || phishing.score >= spam.score):
            found.append(wrong(.unwanted, "phishing", .phishing, phishing.score))
        case (.wanted, true): found.append(wrong(.unwanted, "spam", .spam, spam.score))
        case (.spam, false), (.phishing, false):
            found.append(wrong(.unwanted, "wanted", likelier.question, likelier.score))
        case (.phishing, true) where !phishing.flagged:
            found.append(wrong(.phishing, "spam", .phishing, phishing.score))
        default: break
        }
        if label.kind == .wanted, let category = label.category, category != verdict.category {
            found.append(wrong(.category, verdict.category.rawValue, .category, verdict.confidence))
        }
        return found
    }

    /// `count` of each subject: the most certain first, and of equally certain ones by their files.
    static func worst(_ wrong: [WrongVerdict], _ count: Int) -> [WrongVerdict] {
        let sorted = wrong.sorted { ($1.certainty, $0.file) < ($0.certainty, $1.file) }
        return Subject.allCases.flatMap { subject in sorted.filter { $0.about == subject }.prefix(count) }
    }
}
