/// When a subject alone may join a message to a thread.
///
/// It is for replies by programs that drop or replace Message-IDs: a message whose subject has a reply mark,
/// and none of whose ancestors is known, belongs to the message before it that has the same base subject, if
/// that is not too long ago. Nothing else is ever joined by a subject, so a newsletter's issues stay apart,
/// and so do two threads of one subject that have their references.
public struct SubjectRule: Codable, Hashable, Sendable {
    /// Days between a reply and the message before it; 0 joins nothing.
    public var days: Int

    public init(days: Int = 60) {
        self.days = days
    }

    public static let off = SubjectRule(days: 0)

    var seconds: Int64 { Int64(max(0, min(days, 36_500))) * 86_400 }

    /// Subjects that many unrelated messages have.
    private static let generic: Set<String> = [
        "no subject", "(no subject)", "<no subject>", "kein betreff", "(kein betreff)", "sans objet",
        "sin asunto",
        "hello there", "hi there", "good morning", "guten morgen", "guten tag", "out of office",
        "automatic reply",
        "automatische antwort", "read receipt", "delivery status notification", "thank you", "thank you!",
        "thanks again",
        "your order", "your account", "your invoice", "your message", "your email", "your request",
        "your mail",
        "ihre bestellung", "ihre nachricht", "ihre anfrage", "quick question", "a question", "one question",
        "happy birthday", "happy new year", "merry christmas", "frohe weihnachten", "phone call", "follow up",
    ]

    /// What two subjects are compared by; `nil` where it says too little: empty, generic, or one short word.
    static func key(_ subject: String) -> String? {
        // Ten bytes are four ideographs or a long word.
        let isLong = subject.utf8.count >= 10
        guard isLong || subject.utf8.contains(32), subject.utf8.count >= 5 else { return nil }
        let folded = subject.lowercased()
        guard folded.unicodeScalars.contains(where: { $0.properties.isAlphabetic }) else { return nil }
        return generic.contains(folded) ? nil : folded
    }
}
