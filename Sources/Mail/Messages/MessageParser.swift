public import Foundation

/// Reads one message. What is malformed is read as far as it goes and told in ``MailMessage/notices``; an error is
/// thrown only where there is nothing to read.
///
/// A parser holds no state, so that one may be used by many threads at once.
public protocol MessageParser: Sendable {
    /// - Throws: ``BreezeError``: `.inputOutput` where the source cannot be read, `.unavailable` where this build has
    ///   no parser.
    func parse(_ source: MailSource, limits: MailLimits) throws -> MailMessage

    /// The decoded bytes of the part at `index` in ``MailMessage/parts``, at most `limit` of them; empty where there
    /// is no such part, or it is a container.
    func content(of index: Int, in source: MailSource, limit: Int) throws -> [UInt8]

    /// The SHA-256 of the part's whole decoded content, in hexadecimal; `nil` where there is no such part.
    func digest(of index: Int, in source: MailSource) throws -> String?
}

extension MessageParser {
    public func parse(_ source: MailSource) throws -> MailMessage {
        try parse(source, limits: MailLimits())
    }
}

/// Where a message lies.
public enum MailSource: Sendable {
    case bytes([UInt8])
    /// A file that holds one message. A large one is read as it is needed and never as a whole.
    case file(URL)
    /// One message of an mbox file, as ``MboxReader`` found it.
    case mbox(URL, MboxEntry)
}
