#if Mail
import BreezeMail
import CGMime

/// Finds a message's own HTML and the pictures that it holds.
struct PageReader {
    private let walk: PartWalk
    private let limits: PageLimits

    /// Pages of one message, and pictures that are looked for.
    private static let mostPages = 20
    private static let mostPictures = 200

    init(_ walk: PartWalk, limits: PageLimits) {
        self.walk = walk
        self.limits = limits
    }

    /// `nil` where the message has no HTML.
    func read() -> (page: SafeHTML, notices: [MailNotice])? {
        let pages = walk.nodes.filter { node in
            node.leaf != nil && !node.isAttached && node.part.type == "text/html"
                && node.part.disposition != "attachment"
        }
        guard !pages.isEmpty else { return nil }
        var html = ""
        var room = limits.htmlBytes
        var cut = 0
        for node in pages.prefix(Self.mostPages) {
            guard let leaf = node.leaf else { continue }
            let (bytes, size) = PartContent(leaf).read(limit: room)
            room -= bytes.count
            cut += size - bytes.count
            if !html.isEmpty { html += "<hr>" }
            html += TextDecoder.text(bytes, charset: BodyReader.charset(of: node.part, bytes)).text
        }
        let pictures = pictures()
        let sanitizer = HTMLSanitizer(limits: limits) { [limits] id in
            guard let leaf = pictures[id] else { return nil }
            // One more than may be shown tells that it is too large.
            return PartContent(leaf).read(limit: limits.pictureBytes + 1).bytes
        }
        let page = sanitizer.sanitize(html)
        return (page, sanitizer.notices + (cut > 0 ? [MailNotice(.htmlTooLong, count: cut)] : []))
    }

    private func pictures() -> [String: UnsafeMutablePointer<GMimePart>] {
        var found: [String: UnsafeMutablePointer<GMimePart>] = [:]
        for node in walk.nodes where node.part.type.hasPrefix("image/") && found.count < Self.mostPictures {
            guard let id = node.part.contentID, let leaf = node.leaf, found[id] == nil else { continue }
            found[id] = leaf
        }
        return found
    }
}
#endif
