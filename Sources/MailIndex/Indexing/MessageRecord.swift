#if Hub
package import BreezeMail
import Foundation

/// What the index keeps of a message, ready to be written. It is made where the message was parsed, so that nothing
/// of this waits for the one who writes.
struct MessageRecord: Sendable {
    var messageID: String
    /// The first 20 bytes of the content's SHA-256.
    var digest: Data
    /// One id a line.
    var references: String
    var inReplyTo: String
    var subject: String
    var baseSubject: BaseSubject
    var date: MailDate?
    var list: String?
    var size: Int
    /// One address a line.
    var sender: String
    var recipients: String
    var copies: String
    /// Names of attachments, one a line.
    var files: String
    var body: String
    /// Bytes of decoded text that were read, and that there are.
    var textRead: Int
    var textSize: Int
    /// Characters of text that a reader cannot see.
    var hidden: Int
    /// Links of HTML parts, and addresses of pages in plain text.
    var links: Int
    /// JSON, or nothing.
    var attachments: String?
    var notices: String?

    init(_ message: MailMessage) {
        messageID = message.id
        digest = Self.bytes(hexadecimal: message.contentID.prefix(40))
        references = message.references.joined(separator: "\n")
        inReplyTo = message.inReplyTo.joined(separator: "\n")
        subject = message.subject
        baseSubject = message.baseSubject
        date = message.date
        list = message.list.identifier
        size = message.size
        sender = Self.lines(message.from)
        recipients = Self.lines(message.to)
        copies = Self.lines(message.cc + message.bcc)
        let attached = message.attachments
        files = attached.compactMap(\.name).joined(separator: "\n")
        attachments = attached.isEmpty ? nil : Self.json(attached.map(IndexedAttachment.init))
        notices = message.notices.isEmpty ? nil : Self.json(message.notices)
        let others = message.body.texts.contains(where: \.isAttached) ? message.body.attached : ""
        body = others.isEmpty ? message.body.best : message.body.best + "\n\n" + others
        textRead = message.body.texts.reduce(0) { $0 + $1.text.utf8.count }
        textSize = textRead + message.notices.reduce(0) { $0 + (Self.isCut($1.kind) ? $1.count : 0) }
        hidden = message.body.texts.reduce(0) { $0 + ($1.html?.hiddenCharacters ?? 0) }
        links = message.body.texts.reduce(0) { $0 + ($1.html?.links.count ?? 0) } + Self.pages(in: body)
    }

    /// How often `://` stands between a letter and something.
    private static func pages(in text: String) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            var count = 0
            for at in bytes.indices.dropFirst().dropLast(3) where bytes[at] == 58 {
                let isMark = bytes[at + 1] == 47 && bytes[at + 2] == 47 && bytes[at + 3] > 32
                if isMark, (97...122).contains(bytes[at - 1] | 32) { count += 1 }
            }
            return count
        }
    }

    private static func isCut(_ kind: MailNotice.Kind) -> Bool {
        kind == .textTooLong || kind == .htmlTooLong || kind == .messageTooLong
    }

    private static func bytes(hexadecimal text: Substring) -> Data {
        func digit(_ byte: UInt8) -> UInt8 { byte < 58 ? byte &- 48 : byte &- 87 }
        let digits = Array(text.utf8)
        return Data(
            stride(from: 0, to: digits.count - 1, by: 2).map {
                digit(digits[$0]) << 4 | digit(digits[$0 + 1])
            }
        )
    }

    private static func lines(_ addresses: [MailAddress]) -> String {
        var text = ""
        for address in addresses {
            if !text.isEmpty { text += "\n" }
            text += AddressLine.text(address)
        }
        return text
    }

    private static func json(_ value: some Encodable) -> String? {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// An address as a line of text, `Name <user@host>`, that full-text search reads as well as we do.
package enum AddressLine {
    static func text(_ address: MailAddress) -> String {
        guard let name = address.name ?? address.group, !name.isEmpty else { return address.address }
        return "\(name) <\(address.address)>"
    }

    package static func addresses(_ lines: String) -> [MailAddress] {
        lines.split(separator: "\n").map { line in
            guard line.hasSuffix(">"), let open = line.lastIndex(of: "<") else {
                return MailAddress(address: String(line))
            }
            let name = line[..<open]
            let address = line[line.index(after: open)...].dropLast()
            return MailAddress(
                name: String(name.hasSuffix(" ") ? name.dropLast() : name),
                address: String(address)
            )
        }
    }
}
#endif
