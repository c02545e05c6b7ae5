/// A message that a person judged, and what was said of it: as much of both as figures are made from.
public struct JudgedMail: Sendable {
    /// What the person keeps it under.
    public let folder: String
    public let label: MailLabel
    public let spam: MailVerdict.Risk
    public let phishing: MailVerdict.Risk
    public let category: MailCategory
    public let confidence: Double
    public let missing: [MailVerdict.Missing]
    /// What the verdict took, without the embedding.
    public let seconds: Double
    let wrong: [WrongVerdict]

    public init(_ verdict: MailVerdict, _ label: MailLabel, file: String, folder: String, seconds: Double) {
        self.folder = folder
        self.label = label
        spam = verdict.spam
        phishing = verdict.phishing
        category = verdict.category
        confidence = verdict.confidence
        missing = verdict.missing
        self.seconds = seconds
        wrong = WrongVerdict.all(verdict, label, file: file, folder: folder)
    }

    var isFlagged: Bool { spam.flagged || phishing.flagged }
}
