#if Hub
import BreezeMail
import BreezeMailIndex
import BreezeMailJudgement
import BreezeMailSearch
import Foundation

/// The owner's mail as the API tells of it.
struct ShownAddress: Encodable {
    let name: String?
    let address: String

    init(_ address: MailAddress) {
        (name, self.address) = (address.name, address.address)
    }
}

struct ShownListed: Encodable {
    let id: Int64
    let subject: String
    let from: [ShownAddress]
    let date: String?
    let folder: String
    let unread: Bool
    let flagged: Bool
    let attachments: Int
    let preview: String
    let thread: Int64?
    let threadCount: Int
    let category: String?
    let warning: String?
    /// Of a message in its thread: messages above it.
    let depth: Int?

    init(_ message: ListedMessage, depth: Int? = nil) {
        (id, subject, folder, preview) = (message.id, message.subject, message.folder, message.preview)
        from = message.from.map(ShownAddress.init)
        date = message.date?.iso
        (unread, flagged, attachments) = (message.isUnread, message.isFlagged, message.attachments)
        (thread, threadCount, self.depth) = (message.thread, message.threadCount, depth)
        (category, warning) = (message.category, message.warning)
    }
}

/// One message with its text, what was quoted told apart.
struct ShownMessage: Encodable {
    struct Attachment: Encodable {
        let name: String?
        let type: String
        let size: Int
    }

    struct Place: Encodable {
        let path: String
        let folder: String
        let flags: String
    }

    /// Bytes of a text that a page has use for; the terminal shows all of it.
    private static let longestText = 512 << 10

    let id: Int64
    let messageID: String
    let subject: String
    let from: [ShownAddress]
    let to: [ShownAddress]
    let copies: [ShownAddress]
    let date: String?
    let list: String?
    let thread: Int64?
    let unread: Bool
    let size: Int
    /// Bytes of its text that are in the index, that it has, and that are in ``text``.
    let textRead: Int
    let textSize: Int
    let textShown: Int
    let hiddenCharacters: Int
    let attachments: [Attachment]
    let notices: [MailNotice]
    let places: [Place]
    let text: [SplitText.Passage]
    let verdict: ShownVerdict?

    init(_ message: IndexedMessage, text whole: String, _ judged: JudgedMessage?) {
        verdict = judged.map(ShownVerdict.init)
        (id, messageID, subject) = (message.id, message.messageID, message.subject)
        from = message.from.map(ShownAddress.init)
        to = message.to.map(ShownAddress.init)
        copies = message.copies.map(ShownAddress.init)
        (date, list, thread) = (message.date?.iso, message.list, message.thread)
        unread = !message.places.contains { $0.flags.contains("S") }
        (size, textRead, textSize) = (message.size, message.textRead, message.textSize)
        hiddenCharacters = message.hiddenCharacters
        attachments = message.attachments.map { .init(name: $0.name, type: $0.type, size: $0.size) }
        notices = message.notices
        places = message.places.map { .init(path: $0.path, folder: $0.folder, flags: $0.flags) }
        let shown =
            whole.utf8.count <= Self.longestText
            ? whole : String(decoding: whole.utf8.prefix(Self.longestText), as: UTF8.self)
        textShown = shown.utf8.count
        text = SplitText(splitting: shown).passages
    }
}

/// A message as its sender laid it out.
struct ShownPage: Encodable {
    /// For a frame without scripts; absent where the message has no HTML.
    let html: String?
    /// What would have been asked of the network.
    let remote: Int
    let hiddenCharacters: Int
    let pictures: Int
    let picturesDropped: Int
    let scripts: Int
    let controls: Int
    /// Whether the end is missing.
    let isCut: Bool
    let notices: [MailNotice]

    init(_ page: MailPage) {
        let html = page.html ?? SafeHTML()
        self.html = page.html?.html
        (remote, hiddenCharacters) = (html.remote, html.hiddenCharacters)
        (pictures, picturesDropped) = (html.pictures, html.picturesDropped)
        (scripts, controls, isCut) = (html.scripts, html.controls, html.isCut)
        notices = page.notices
    }
}

/// A hit as `breeze mail search --json` prints it, and what a page needs besides.
struct ShownHit: Encodable {
    private let report: MailHitReport
    private let hit: SearchHit

    init(_ hit: SearchHit) {
        (report, self.hit) = (MailHitReport(hit), hit)
    }

    private enum CodingKeys: String, CodingKey {
        case threadNumber, threadCount, others, marks, cutBefore, cutAfter, partlyRead
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encodeIfPresent(hit.thread, forKey: .threadNumber)
        try values.encode(hit.threadCount, forKey: .threadCount)
        try values.encode(hit.others, forKey: .others)
        // Beginnings and ends in Unicode scalars.
        try values.encode(hit.snippet.marks.map { [$0.lowerBound, $0.upperBound] }, forKey: .marks)
        try values.encode(hit.snippet.isCutBefore, forKey: .cutBefore)
        try values.encode(hit.snippet.isCutAfter, forKey: .cutAfter)
        try values.encode(hit.coverage.textRead < hit.coverage.textSize, forKey: .partlyRead)
    }
}

struct ShownResults: Encodable {
    let hits: [ShownHit]
    let found: Int
    let isMore: Bool
    let mode: SearchMode
    let notices: [SearchNotice]

    init(_ results: SearchResults) {
        hits = results.hits.map(ShownHit.init)
        (found, isMore, mode, notices) = (results.found, results.isMore, results.mode, results.notices)
    }
}
#endif
