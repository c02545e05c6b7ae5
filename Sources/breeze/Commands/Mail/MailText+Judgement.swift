import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import Foundation

/// A judged message for scripts.
struct MailJudgementReport: Encodable {
    private let message: IndexedMessage
    private let verdict: MailVerdict
    private let opinion: Opinion?

    private enum Key: CodingKey { case id, messageID, subject, model }

    /// What a language model said, where one was asked.
    private struct Opinion: Encodable {
        let category: MailCategory
        let name: String
        /// What of the message's text was kept from it.
        let neutralised: [UntrustedText.Finding]
    }

    init(_ message: IndexedMessage, _ judged: JudgedMessage, _ opinion: CategoryQuestion.Answer? = nil) {
        self.message = message
        verdict = judged.verdict
        self.opinion = opinion.map {
            Opinion(category: $0.category, name: $0.model, neutralised: $0.findings)
        }
    }

    func encode(to encoder: any Encoder) throws {
        try verdict.encode(to: encoder)
        var told = encoder.container(keyedBy: Key.self)
        try told.encode(message.id, forKey: .id)
        try told.encode(message.messageID, forKey: .messageID)
        try told.encode(message.subject, forKey: .subject)
        try told.encodeIfPresent(opinion, forKey: .model)
    }
}

extension MailText {
    /// Why a message is of its category.
    static func category(
        _ message: IndexedMessage,
        _ judged: JudgedMessage,
        _ opinion: CategoryQuestion.Answer? = nil
    ) -> [String] {
        let verdict = judged.verdict
        return [head(message.id, message.date, message.from, message.subject)]
            + ["        \(verdict.category.rawValue), \(share(verdict.confidence))"]
            + reasons(verdict, [.category]) + remarks(verdict)
            + (opinion.map { ["        \($0.model) says: \($0.category.rawValue)".printable] } ?? [])
    }

    /// Why a message is spam or phishing, or is not.
    static func risk(_ message: IndexedMessage, _ judged: JudgedMessage) -> [String] {
        let verdict = judged.verdict
        return [head(message.id, message.date, message.from, message.subject), warning(judged)]
            + reasons(verdict, [.phishing, .spam]) + remarks(verdict)
    }

    /// One line below the message's own.
    static func warning(_ judged: JudgedMessage) -> String {
        let verdict = judged.verdict
        func risk(_ name: String, _ risk: MailVerdict.Risk) -> String {
            let said = "\(name) \(share(risk.score))"
            return risk.flagged ? Style.output.bold(said) : said
        }
        let against = verdict.evidence.filter { $0.about == .phishing && $0.weight > 0 && $0.kind != "words" }
            .sorted { $0.weight > $1.weight }
        // What can be looked at says more than how the text sounds.
        let telling = against.first { $0.kind != "text" && $0.weight >= 1 } ?? against.first
        let why = verdict.phishing.flagged ? telling.map { ": \($0.detail)" } ?? "" : ""
        return "        \(risk("phishing", verdict.phishing)), \(risk("spam", verdict.spam))\(why.printable)"
    }

    private static func reasons(_ verdict: MailVerdict, _ questions: [MailVerdict.Question]) -> [String] {
        verdict.evidence.filter { questions.contains($0.about) }
            .sorted { $0.weight.magnitude > $1.weight.magnitude }
            .map { each in
                let sign = each.weight < 0 ? "-" : "+"
                let about = each.about == .category ? "" : "\(each.about.rawValue): "
                return "        \(sign) \(about)\(each.detail)".printable
            }
    }

    private static func remarks(_ verdict: MailVerdict) -> [String] {
        verdict.missing.map { missing in
            switch missing {
            case .encoder: "        Judged without an encoder, by words and headers: less sure."
            case .headers: "        The message itself was not there to be read: judged by its text."
            }
        }
    }

    private static func share(_ probability: Double) -> String { "\(Int((probability * 100).rounded())) %" }
}
