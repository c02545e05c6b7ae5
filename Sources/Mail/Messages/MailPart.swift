/// A node of the content-type tree.
public struct MailPart: Codable, Hashable, Sendable {
    /// Its place in ``MailMessage/parts``, which lists a container before what it holds.
    public var index: Int
    /// The container's index; `nil` for the root.
    public var parent: Int?
    /// Containers above it.
    public var depth: Int
    /// In lower case, `text/plain`.
    public var type: String
    /// As it is declared, in lower case; `nil` where it is not.
    public var charset: String?
    /// Decoded bytes; 0 for a container.
    public var size: Int
    /// From Content-Disposition, else from Content-Type, decoded (RFC 2231, encoded words). It is what a stranger
    /// wrote and may hold slashes.
    public var fileName: String?
    /// In lower case, `inline`, `attachment`; `nil` where it is not declared.
    public var disposition: String?
    /// Without its angle brackets.
    public var contentID: String?
    /// Of message/rfc822: the attached message's own headers.
    public var message: AttachedMessage?
    /// Files inside of it that MIME does not see: uuencoded in its text, or in its TNEF (winmail.dat).
    public var embedded: [EmbeddedFile]

    public init(
        index: Int,
        parent: Int?,
        depth: Int,
        type: String,
        charset: String? = nil,
        size: Int = 0,
        fileName: String? = nil,
        disposition: String? = nil,
        contentID: String? = nil,
        message: AttachedMessage? = nil,
        embedded: [EmbeddedFile] = []
    ) {
        self.index = index
        self.parent = parent
        self.depth = depth
        self.type = type
        self.charset = charset
        self.size = size
        self.fileName = fileName
        self.disposition = disposition
        self.contentID = contentID
        self.message = message
        self.embedded = embedded
    }

    public var isMultipart: Bool { type.hasPrefix("multipart/") }

    /// Whether it holds other parts.
    public var isContainer: Bool { isMultipart || message != nil }

    /// Whether a person would call it an attached file: by its disposition, its name, or a type that is no text.
    /// Signatures and images that the HTML shows are none.
    public var isAttachment: Bool {
        if message != nil { return true }
        if isMultipart { return false }
        if disposition == "attachment" { return true }
        if type == "application/pgp-signature" || type == "application/pkcs7-signature" { return false }
        if type == "text/plain" || type == "text/html" || type == "text/enriched" { return fileName != nil }
        return !(type.hasPrefix("image/") && contentID != nil && disposition != "attachment")
    }
}

/// The headers of a message that is attached to another.
public struct AttachedMessage: Codable, Hashable, Sendable {
    public var subject: String
    public var from: [MailAddress]
    public var date: MailDate?
    public var messageID: String?

    public init(subject: String, from: [MailAddress], date: MailDate?, messageID: String?) {
        self.subject = subject
        self.from = from
        self.date = date
        self.messageID = messageID
    }
}

/// A file within a part.
public struct EmbeddedFile: Codable, Hashable, Sendable {
    public var name: String
    /// Decoded bytes.
    public var size: Int

    public init(name: String, size: Int) {
        self.name = name
        self.size = size
    }
}

/// What a list of attachments shows.
public struct MailAttachment: Codable, Hashable, Sendable {
    /// The part that holds it.
    public var part: Int
    public var name: String?
    public var type: String
    public var size: Int

    public init(part: Int, name: String?, type: String, size: Int) {
        self.part = part
        self.name = name
        self.type = type
        self.size = size
    }
}
