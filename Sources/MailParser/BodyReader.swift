#if Mail
import BreezeMail
import CGMime
import Foundation

/// Reads the texts of a message's parts, and the sizes of the rest.
struct BodyReader {
    private let limits: MailLimits
    private(set) var texts: [BodyText] = []
    private var textBytes = 0
    private var cutBytes = 0
    private var wrongCharsets = 0
    private var htmlNotices: [MailNotice] = []

    /// What is kept in memory of a TNEF file to list what is in it.
    private static let largestTNEF = 32 << 20

    init(limits: MailLimits) {
        self.limits = limits
    }

    var notices: [MailNotice] {
        var notices = htmlNotices
        if cutBytes > 0 { notices.append(MailNotice(.textTooLong, count: cutBytes)) }
        if wrongCharsets > 0 { notices.append(MailNotice(.charsetWrong, count: wrongCharsets)) }
        return notices
    }

    mutating func read(_ leaf: UnsafeMutablePointer<GMimePart>, _ part: inout MailPart, isAttached: Bool) {
        let content = PartContent(leaf)
        if Self.isTNEF(part) {
            let (bytes, size) = content.read(limit: Self.largestTNEF)
            part.size = size
            part.embedded = TNEFReader.files(bytes)
            return
        }
        guard part.type == "text/plain" || part.type == "text/html", part.disposition != "attachment" else {
            part.size = content.size
            return
        }
        let room = max(0, limits.textBytes - textBytes)
        let (bytes, size) = content.read(limit: room)
        part.size = size
        textBytes += bytes.count
        cutBytes += size - bytes.count
        let (text, isWrong) = TextDecoder.text(bytes, charset: Self.charset(of: part, bytes))
        if isWrong { wrongCharsets += 1 }
        texts.append(
            part.type == "text/html"
                ? html(text, part.index, isAttached) : plain(text, leaf, &part, isAttached)
        )
    }

    /// Text that stands in a container.
    mutating func add(_ orphan: String, of part: MailPart, isAttached: Bool) {
        let bytes = Array(orphan.utf8.prefix(max(0, limits.textBytes - textBytes)))
        guard bytes.contains(where: { $0 > 32 }) else { return }
        textBytes += bytes.count
        cutBytes += orphan.utf8.count - bytes.count
        let text = TextDecoder.text(bytes, charset: nil).text
        texts.append(BodyText(part: part.index, text: text, isAttached: isAttached))
    }

    private static func isTNEF(_ part: MailPart) -> Bool {
        part.type == "application/ms-tnef" || part.type == "application/vnd.ms-tnef"
    }

    static func charset(of part: MailPart, _ bytes: [UInt8]) -> String? {
        if part.charset != nil || part.type != "text/html" { return part.charset }
        // A page may name its own.
        let head = String(decoding: bytes.prefix(2_048), as: UTF8.self).lowercased()
        guard let found = head.range(of: "charset=") else { return nil }
        let name = head[found.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }
            .prefix { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        // What was ASCII enough to be found is not of wide characters.
        return name.isEmpty || name.hasPrefix("utf-16") ? nil : String(name)
    }

    private mutating func html(_ page: String, _ index: Int, _ isAttached: Bool) -> BodyText {
        let reader = HTMLReader(limits: limits)
        let (text, findings) = reader.read(page)
        htmlNotices += reader.notices
        return BodyText(part: index, text: text, html: findings, isAttached: isAttached)
    }

    private func plain(
        _ text: String,
        _ leaf: UnsafeMutablePointer<GMimePart>,
        _ part: inout MailPart,
        _ isAttached: Bool
    ) -> BodyText {
        var text = text
        if PartWalk.parameter("format", of: leaf) == "flowed" {
            text = FlowedText.join(text, deletesSpace: PartWalk.parameter("delsp", of: leaf) == "yes")
        }
        let (kept, files) = UuencodedText.split(text)
        part.embedded = files
        return BodyText(part: part.index, text: kept, isAttached: isAttached)
    }
}
#endif
