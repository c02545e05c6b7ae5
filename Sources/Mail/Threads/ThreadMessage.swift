/// What threading needs of a message.
public struct ThreadMessage: Codable, Hashable, Sendable {
    /// What the caller keeps the message by; no two messages share one.
    public var key: Int64
    /// Without brackets; empty where the message has none.
    public var messageID: String
    /// From the oldest to the newest, as References has them, with In-Reply-To behind where it names another
    /// message.
    public var ancestors: [String]
    /// The base subject: ``BaseSubject/text``.
    public var subject: String
    /// Whether the subject has a mark of a reply.
    public var isReply: Bool
    /// Seconds since 1970; `nil` sorts behind every date, and is never joined by its subject.
    public var date: Int64?

    /// Ancestors that are kept: of more, the first one and the newest.
    static let maxAncestors = 1_000

    public init(
        key: Int64,
        messageID: String,
        references: [String] = [],
        inReplyTo: [String] = [],
        subject: String = "",
        isReply: Bool = false,
        date: Int64? = nil
    ) {
        self.key = key
        self.messageID = messageID
        self.subject = subject
        self.isReply = isReply
        self.date = date
        ancestors = references
        // Old programs put the writer's address before the message that is answered, in brackets as well.
        if let parent = inReplyTo.last, references.last != parent, !references.contains(parent) {
            ancestors.append(parent)
        }
        if ancestors.count > Self.maxAncestors {
            ancestors = ancestors.prefix(1) + ancestors.suffix(Self.maxAncestors - 1)
        }
    }

    public init(_ message: MailMessage, key: Int64) {
        let subject = message.baseSubject
        self.init(
            key: key,
            messageID: message.id,
            references: message.references,
            inReplyTo: message.inReplyTo,
            subject: subject.text,
            isReply: subject.isReply,
            date: message.date?.unixSeconds
        )
    }
}
