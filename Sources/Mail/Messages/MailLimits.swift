/// What is read of one message. Beyond a limit the rest is left out and a ``MailNotice`` says so.
public struct MailLimits: Codable, Hashable, Sendable {
    /// Of the message as it lies on disk.
    public var messageBytes = 100 << 20
    /// Parts, containers and the parts of attached messages included.
    public var parts = 10_000
    /// Containers within each other.
    public var depth = 50
    /// Headers of one message or part, and their bytes together.
    public var headers = 1_000
    public var headerBytes = 1 << 20
    /// Of one header; long lists of recipients stay far below.
    public var headerValueBytes = 256 << 10
    /// Encoded words that are decoded in one header; the rest stays as it is written.
    public var encodedWords = 5_000
    /// Decoded text of a message, all its parts together.
    public var textBytes = 32 << 20
    /// HTML of one part.
    public var htmlBytes = 8 << 20
    /// Elements within each other; what is deeper is read without regard to its markup.
    public var htmlDepth = 512
    public var links = 10_000
    public var addresses = 10_000

    public init() {}
}
