public import BreezeMail
public import BreezeMailSigns
import Foundation

/// What a message is judged by, and nothing more of it: made where mail is parsed, judged where no stranger's bytes are.
public struct MailFacts: Codable, Hashable, Sendable {
    public var subject: String
    /// What the writer added, at most ``MailWords/longestText`` bytes; all of the text where nothing else is left.
    public var text: String
    /// What an encoder is given for the message: the same passage that a search finds it by.
    public var passage: String
    /// The first sender's address in lower case.
    public var sender: String?
    /// The mailing list's identifier.
    public var list: String?
    public var signs: MailSigns
    public var bulk: BulkSigns
    /// ``MailMessage/contentID`` of the message itself, which was read with its headers and links; `nil` where it was not.
    public var contentID: String?

    /// Whether the message itself was read.
    public var isWhole: Bool { contentID != nil }

    /// `reader` and `domains` hold the same knowledge of domains.
    public init(_ message: MailMessage, reader: SignReader, domains: any DomainKnowledge) {
        self.init(
            subject: String(message.subject.prefix(2_000)),
            text: message.body.best,
            sender: message.from.first { !$0.address.isEmpty } ?? message.from.first,
            list: message.list.identifier
        )
        signs = reader.signs(of: message)
        bulk = BulkSigns(message, domains: domains)
        contentID = message.contentID
    }

    /// Of an index, where the message itself is not to be had: no headers, no links.
    public init(subject: String, text: String, sender: MailAddress?, list: String?) {
        let own = PassageSplitter.ownText(text)
        self.subject = subject
        self.text = String(decoding: own.utf8.prefix(MailWords.longestText), as: UTF8.self)
        passage = PassageSplitter.text(
            PassageSplitter.passages(own)[0],
            of: own,
            subject: subject,
            sender: sender.map { $0.name ?? $0.address } ?? ""
        )
        self.sender = sender?.address.lowercased()
        self.list = list
        signs = MailSigns()
        bulk = BulkSigns(findings: list.map { [BulkSigns.Finding(.list, "List-Id \($0)")] } ?? [])
    }
}
