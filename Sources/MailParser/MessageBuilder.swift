#if Mail
import BreezeMail
import CGMime

/// Puts a ``MailMessage`` together from what GMime parsed.
struct MessageBuilder {
    private let input: MessageInput
    private let limits: MailLimits
    private var message = MailMessage()
    private var bodies: BodyReader

    /// Of the text, for ``MailMessage/contentID``.
    private static let digestedText = 64 << 10

    init(_ input: MessageInput, limits: MailLimits) {
        self.input = input
        self.limits = limits
        bodies = BodyReader(limits: limits)
    }

    mutating func build() -> MailMessage {
        message.size = input.size
        message.notices = input.notices
        guard let parsed = input.message else {
            note(.noHeaders)
            identify([])
            return message
        }
        var headers = HeaderReader(parsed, limits: limits)
        take(&headers)
        parts(PartWalk(parsed, limits: limits))
        identify(headers.messageIDs)
        return message
    }

    private mutating func note(_ kind: MailNotice.Kind, _ count: Int = 0) {
        message.notices.append(MailNotice(kind, count: count))
    }

    private mutating func take(_ headers: inout HeaderReader) {
        if headers.count == 0 { note(.noHeaders) }
        message.subject = headers.subject
        message.from = headers.addresses(GMIME_ADDRESS_TYPE_FROM)
        message.sender = headers.addresses(GMIME_ADDRESS_TYPE_SENDER)
        message.replyTo = headers.addresses(GMIME_ADDRESS_TYPE_REPLY_TO)
        message.to = headers.addresses(GMIME_ADDRESS_TYPE_TO)
        message.cc = headers.addresses(GMIME_ADDRESS_TYPE_CC)
        message.bcc = headers.addresses(GMIME_ADDRESS_TYPE_BCC)
        message.inReplyTo = headers.inReplyTo
        message.references = headers.references
        message.list = headers.list
        message.authentication = headers.authentication
        message.rawDate = headers.rawDate
        let (date, isReadable) = headers.date
        message.date = date
        if !isReadable { note(.dateUnreadable) }
        if date?.isClamped == true { note(.dateClamped) }
        if headers.undecoded > 0 { note(.encodedWordsKept, headers.undecoded) }
        if headers.droppedAddresses > 0 { note(.addressesDropped, headers.droppedAddresses) }
    }

    private mutating func parts(_ walk: PartWalk) {
        for node in walk.nodes {
            var part = node.part
            if let leaf = node.leaf { bodies.read(leaf, &part, isAttached: node.isAttached) }
            if let orphan = node.orphan { bodies.add(orphan, of: part, isAttached: node.isAttached) }
            message.parts.append(part)
        }
        message.body.texts = bodies.texts
        message.body.best = BestText.choose(bodies.texts, in: message.parts)
        message.notices += bodies.notices
        if walk.unopened > 0 { note(.tooDeep, walk.unopened) }
        if let cut = walk.cutAtPart { note(.tooManyParts, cut) }
    }

    private mutating func identify(_ declared: [String]) {
        var digest = ContentDigest()
        for addresses in [message.from, message.to, message.cc] {
            for address in addresses { digest.add(address.address) }
            digest.add("")
        }
        digest.add(message.subject)
        digest.add(message.rawDate ?? "")
        for part in message.parts { digest.add("\(part.type) \(part.size) \(part.fileName ?? "")") }
        for text in message.body.texts { digest.add(String(text.text.utf8.prefix(Self.digestedText)) ?? "") }
        message.contentID = "\(digest.finish().prefix(40))@content.invalid"
        let unique = Set(declared)
        if unique.count == 1, let id = unique.first {
            message.id = id
        } else {
            message.id = message.contentID
            note(.messageIDMade, unique.count)
        }
    }
}
#endif
