/// The text of a message.
public struct MailBody: Codable, Hashable, Sendable {
    /// Every readable text in the order of the message, attached messages included.
    public var texts: [BodyText]
    /// What a person reads: of alternatives the plainest that says something, joined in order; attached messages
    /// are not in it.
    public var best: String

    public init(texts: [BodyText] = [], best: String = "") {
        self.texts = texts
        self.best = best
    }

    /// ``best``, with quoted text and signatures told apart. Worked out whenever it is asked for, since what indexes
    /// mail needs none of it: keep it where you need it twice.
    public var split: SplitText { SplitText(splitting: best) }

    /// The plain parts of the message itself.
    public var plain: String {
        texts.lazy.filter { !$0.isAttached && $0.html == nil }.map(\.text).joined(separator: "\n")
    }

    /// The text of the HTML parts of the message itself.
    public var htmlText: String {
        texts.lazy.filter { !$0.isAttached && $0.html != nil }.map(\.text).joined(separator: "\n")
    }

    /// What attached messages say.
    public var attached: String {
        texts.lazy.filter(\.isAttached).map(\.text).joined(separator: "\n")
    }

    /// The HTML parts' links, hidden text and counts together.
    public var html: HTMLFindings {
        texts.lazy.compactMap(\.html).reduce(into: HTMLFindings()) { $0.add($1) }
    }
}

/// One part's text.
public struct BodyText: Codable, Hashable, Sendable {
    /// The part's index.
    public var part: Int
    /// Decoded, line ends are `\n`; of HTML what it shows.
    public var text: String
    /// What else the HTML holds; `nil` for plain text.
    public var html: HTMLFindings?
    /// Whether it belongs to a message attached to this one.
    public var isAttached: Bool

    public init(part: Int, text: String, html: HTMLFindings? = nil, isAttached: Bool = false) {
        self.part = part
        self.text = text
        self.html = html
        self.isAttached = isAttached
    }
}
