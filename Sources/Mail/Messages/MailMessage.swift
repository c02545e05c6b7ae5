/// A message as a plain value: everything that indexing, threading and judging it needs, and no bytes of attachments.
public struct MailMessage: Codable, Hashable, Sendable {
    /// The Message-ID without its brackets, or ``contentID`` where the message has none or several.
    public var id: String
    /// Made from the content alone, so that the same message always has the same one: for a message without an id,
    /// and for one whose id another message has already.
    public var contentID: String
    public var inReplyTo: [String]
    public var references: [String]
    /// Decoded, on one line.
    public var subject: String
    public var from: [MailAddress]
    public var sender: [MailAddress]
    public var replyTo: [MailAddress]
    public var to: [MailAddress]
    public var cc: [MailAddress]
    public var bcc: [MailAddress]
    /// `nil` where neither Date nor Received has a readable one.
    public var date: MailDate?
    /// The Date header as it is written.
    public var rawDate: String?
    public var list: ListHeaders
    public var authentication: AuthenticationHeaders
    public var parts: [MailPart]
    public var body: MailBody
    public var notices: [MailNotice]
    /// Bytes of the message as it lies on disk.
    public var size: Int

    public init(id: String = "", contentID: String = "") {
        self.id = id
        self.contentID = contentID
        inReplyTo = []
        references = []
        subject = ""
        from = []
        sender = []
        replyTo = []
        to = []
        cc = []
        bcc = []
        list = ListHeaders()
        authentication = AuthenticationHeaders()
        parts = []
        body = MailBody()
        notices = []
        size = 0
    }

    /// The subject without reply and forward marks, for threading.
    public var baseSubject: BaseSubject { BaseSubject(subject) }

    /// Attached files, with those inside of TNEF and uuencoded text.
    public var attachments: [MailAttachment] {
        var found: [MailAttachment] = []
        for part in parts {
            if part.isAttachment {
                let name = part.fileName ?? part.message?.subject
                found.append(MailAttachment(part: part.index, name: name, type: part.type, size: part.size))
            }
            for file in part.embedded {
                let type = "application/octet-stream"
                found.append(MailAttachment(part: part.index, name: file.name, type: type, size: file.size))
            }
        }
        return found
    }
}

/// What says that a message went to many.
public struct ListHeaders: Codable, Hashable, Sendable {
    /// As written; ``identifier`` is what the angle brackets hold.
    public var id: String?
    public var post: String?
    public var unsubscribe: String?
    public var precedence: String?
    public var autoSubmitted: String?
    /// Headers that are there and tell by their name alone what kind of sender this is, each once, in lower case:
    /// `feedback-id`, or `x-github-` for all that begin so. Which those are a parser says.
    public var marks: [String] = []

    public init() {}

    /// `announce.example.org` of `Announcements <announce.example.org>`, in lower case; `nil` without a List-Id.
    public var identifier: String? {
        guard let id else { return nil }
        guard let open = id.lastIndex(of: "<"), let close = id[open...].firstIndex(of: ">") else {
            let bare = id.split(whereSeparator: \.isWhitespace).last.map { $0.lowercased() }
            return bare
        }
        return id[id.index(after: open)..<close].lowercased()
    }
}

/// What receivers wrote about the sender, unread: only the topmost one is by the user's own receiver, and a sender may
/// have written all others.
public struct AuthenticationHeaders: Codable, Hashable, Sendable {
    /// Each unfolded, in the order of the message.
    public var results: [String] = []
    public var receivedSPF: [String] = []
    public var returnPath: String?

    public init() {}
}
