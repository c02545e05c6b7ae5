#if Hub
public import BreezeMail
import Foundation
import GRDB

/// A message as the index has it.
public struct IndexedMessage: Codable, Hashable, Sendable, Identifiable {
    /// In this index, and no other.
    public var id: Int64
    /// Without brackets. Two messages may carry the same one; ``contentID`` then tells them apart.
    public var messageID: String
    public var contentID: String
    public var subject: String
    public var baseSubject: String
    public var from: [MailAddress]
    public var to: [MailAddress]
    /// Cc and Bcc.
    public var copies: [MailAddress]
    public var date: MailDate?
    public var list: String?
    public var references: [String]
    public var inReplyTo: [String]
    /// Bytes of the message.
    public var size: Int
    /// Bytes of its text that are in the index, and that it has.
    public var textRead: Int
    public var textSize: Int
    /// Characters of text that a reader cannot see.
    public var hiddenCharacters: Int
    public var attachments: [IndexedAttachment]
    public var notices: [MailNotice]
    /// `nil` until it was put into one.
    public var thread: Int64?
    public var places: [IndexedPlace]
}

/// An attachment by name, size and type.
public struct IndexedAttachment: Codable, Hashable, Sendable {
    public var part: Int
    public var name: String?
    public var type: String
    public var size: Int

    init(_ attachment: MailAttachment) {
        part = attachment.part
        name = attachment.name
        type = attachment.type
        size = attachment.size
    }
}

/// Where a copy of a message lies.
public struct IndexedPlace: Codable, Hashable, Sendable {
    /// Of its file; `-` for a message that came without one.
    public var path: String
    /// As a person reads it, `Lists/Charts`.
    public var folder: String
    /// Of a Maildir: `FS` is flagged and seen. Letters in order.
    public var flags: String
    /// In an mbox file, where its first header begins.
    public var start: Int64?
}

extension IndexedMessage {
    static let columns = """
        message.id, messageID, digest, refs, inReplyTo, baseSubject, date, zone, list, message.size, textRead, textSize,
        hidden, attachments, notices, thread, subject, sender, recipients, copies
        """

    init(_ row: Row, places: [IndexedPlace]) {
        id = row["id"]
        messageID = row["messageID"]
        contentID =
            (row["digest"] as Data).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
            + "@content.invalid"
        subject = row["subject"]
        baseSubject = row["baseSubject"]
        from = AddressLine.addresses(row["sender"])
        to = AddressLine.addresses(row["recipients"])
        copies = AddressLine.addresses(row["copies"])
        date = (row["date"] as Int64?).map { MailDate(unixSeconds: $0, zone: row["zone"] ?? 0) }
        list = row["list"]
        references = Self.lines(row["refs"])
        inReplyTo = Self.lines(row["inReplyTo"])
        size = row["size"]
        textRead = row["textRead"]
        textSize = row["textSize"]
        hiddenCharacters = row["hidden"]
        attachments = Self.decode(row["attachments"]) ?? []
        notices = Self.decode(row["notices"]) ?? []
        thread = row["thread"]
        self.places = places
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    private static func decode<Value: Decodable>(_ json: String?) -> Value? {
        json.flatMap { try? JSONDecoder().decode(Value.self, from: Data($0.utf8)) }
    }
}
#endif
