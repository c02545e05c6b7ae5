/// What a message says of its sender and of where its links lead.
public struct MailSigns: Codable, Hashable, Sendable {
    /// At most one of a kind.
    public var signs: [MailSign]
    public var authentication: SenderAuthentication
    /// The registrable domain of the From header, else its host; `nil` where there is none.
    public var fromDomain: String?
    /// The same of the Reply-To header.
    public var replyToDomain: String?
    /// Registrable domains, else hosts, that links lead to: each once, at most 50, in the order of the message.
    public var linkDomains: [String]
    public var counts: Counts
    /// At most 50.
    public var attachments: [AttachmentRisk]

    public static let mostLinkDomains = 50
    public static let mostAttachments = 50

    /// Of the message itself; attached messages do not count.
    public struct Counts: Codable, Hashable, Sendable {
        /// Of the HTML, or of the plain text where there is none.
        public var links = 0
        public var forms = 0
        public var scripts = 0
        public var trackingPixels = 0
        public var remoteImages = 0
        public var hiddenCharacters = 0

        public init() {}
    }

    public init() {
        signs = []
        authentication = SenderAuthentication()
        linkDomains = []
        counts = Counts()
        attachments = []
    }

    public func sign(_ kind: MailSign.Kind) -> MailSign? { signs.first { $0.kind == kind } }

    public func has(_ kind: MailSign.Kind) -> Bool { sign(kind) != nil }

    /// How many signs are of that strength.
    public func count(_ strength: MailSign.Strength) -> Int { signs.count { $0.strength == strength } }
}

/// An attached file that may do harm.
public struct AttachmentRisk: Codable, Hashable, Sendable {
    public var kind: Kind
    /// The part that holds it, as in `MailMessage.parts`.
    public var part: Int
    /// As a stranger wrote it, at most 200 characters, without what cannot be seen.
    public var name: String

    public init(_ kind: Kind, part: Int, name: String) {
        self.kind = kind
        self.part = part
        self.name = name
    }

    public enum Kind: String, Codable, Hashable, Sendable {
        case program, script, page, archive
        /// A program or page that is named like a document.
        case disguised
    }
}

/// What a user or an administrator may set.
public struct SignSettings: Codable, Hashable, Sendable {
    /// Whose Authentication-Results are believed; see ``SenderAuthentication/init(_:trusted:from:domains:)``.
    public var trustedServers: [String]
    /// Watched besides ``Brand/watched``: a user's own banks.
    public var brands: [Brand]
    /// Links of one message that are looked at; all are counted.
    public var mostLinks: Int

    public init(trustedServers: [String] = [], brands: [Brand] = [], mostLinks: Int = 2_000) {
        self.trustedServers = trustedServers
        self.brands = brands
        self.mostLinks = mostLinks
    }
}
