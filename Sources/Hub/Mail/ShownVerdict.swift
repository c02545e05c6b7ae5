#if Hub
import BreezeMailClassifier
import BreezeMailJudgement

/// A message's verdict, and what the owner said that counts for it.
struct ShownVerdict: Encodable {
    let category: MailCategory
    let confidence: Double
    let spam: MailVerdict.Risk
    let phishing: MailVerdict.Risk
    let evidence: [MailVerdict.Evidence]
    let missing: [MailVerdict.Missing]
    let corrections: [Rule]
    /// Whether an answer or a summary may stand beside it.
    let repliesOffered: Bool

    struct Rule: Encodable {
        let kind: String
        let scope: PersonalJudgement.Scope
        let key: String
        let value: String
        /// Seconds since 1970.
        let made: Int64
        /// Of the message that it is about, where that is asked for.
        let subject: String?

        init(_ rule: PersonalJudgement.Rule, subject: String? = nil) {
            (kind, scope, key, value) = (rule.word.kind, rule.scope, rule.key, rule.word.value)
            (made, self.subject) = (rule.made, subject)
        }
    }

    init(_ judged: JudgedMessage) {
        let verdict = judged.verdict
        (category, confidence) = (verdict.category, verdict.confidence)
        (spam, phishing) = (verdict.spam, verdict.phishing)
        (evidence, missing, repliesOffered) = (verdict.evidence, verdict.missing, verdict.offersReplies)
        corrections = judged.rules.map { Rule($0) }
    }
}
#endif
