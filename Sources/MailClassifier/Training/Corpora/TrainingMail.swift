import Foundation

/// Messages of known kind, before anything was embedded.
public struct TrainingMail: Sendable {
    public var facts: MailFacts
    public var corpus: String
    /// As ``LabelledMail/part``.
    public var part: String?
    public var isUnwanted: Bool
    /// `nil` where spam and phishing were never told apart.
    public var isPhishing: Bool?
    public var category: MailCategory?

    public init(
        _ facts: MailFacts,
        corpus: String,
        part: String? = nil,
        isUnwanted: Bool,
        isPhishing: Bool?,
        category: MailCategory? = nil
    ) {
        self.facts = facts
        self.corpus = corpus
        self.part = part
        self.isUnwanted = isUnwanted
        self.isPhishing = isPhishing
        self.category = category
    }

    public init(_ example: WrittenExample) {
        let isUnwanted = example.spam || example.phishing
        self.init(
            example.facts,
            corpus: "written",
            isUnwanted: isUnwanted,
            isPhishing: example.phishing,
            category: isUnwanted ? nil : example.category
        )
    }

    /// A message of the Enron-Spam corpus: `Subject: …` on its first line, then the text.
    public init(enron text: String, isSpam: Bool) {
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let subject = (lines.first ?? "").trimmingPrefix("Subject:")
        self.init(
            MailFacts(
                subject: SpacedText.joined(String(subject)).trimmingCharacters(in: .whitespaces),
                text: SpacedText.joined(lines.count > 1 ? String(lines[1]) : ""),
                sender: nil,
                list: nil
            ),
            corpus: "enron",
            isUnwanted: isSpam,
            isPhishing: isSpam ? nil : false
        )
    }

    /// Each text once, the first of them: one message lies in several folders of a corpus, and must not be both learned
    /// from and tried.
    public static func distinct(_ mail: [TrainingMail]) -> [TrainingMail] {
        var seen: Set<String> = []
        return mail.filter { mail in
            seen.insert(mail.facts.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")).inserted
        }
    }

    /// `vector` is the embedding of the facts' passage.
    public func labelled(_ vector: [Float]) -> LabelledMail {
        var mail = LabelledMail(
            words: MailWords(subject: facts.subject, text: facts.text),
            vector: vector,
            corpus: corpus,
            part: part,
            isUnwanted: isUnwanted,
            isPhishing: isPhishing,
            category: category
        )
        mail.known.read(facts)
        return mail
    }
}
