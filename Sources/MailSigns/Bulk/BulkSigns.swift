public import BreezeMail

/// What kind of sender a message has, for sorting mail into categories: several may hold at once, and none of them
/// says that the sender is who it claims to be.
public struct BulkSigns: Codable, Hashable, Sendable {
    /// At most one of a kind.
    public var findings: [Finding]

    public struct Finding: Codable, Hashable, Sendable {
        public var kind: Kind
        /// What shows it, in a few words: `List-Id announce.example.org`.
        public var detail: String

        public init(_ kind: Kind, _ detail: String) {
            self.kind = kind
            self.detail = detail
        }
    }

    /// Open, so that adding one never breaks a caller's `switch`.
    public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A mailing list.
        public static let list = Self(rawValue: "list")
        /// Sent to many by one: newsletters, offers.
        public static let bulk = Self(rawValue: "bulk")
        /// A social network.
        public static let social = Self(rawValue: "social")
        /// Written by a program on some occasion: receipts, alerts, reports.
        public static let automatic = Self(rawValue: "automatic")
    }

    public init(findings: [Finding] = []) {
        self.findings = findings
    }

    public init(_ message: MailMessage, domains: any DomainKnowledge) {
        let sender = BulkSender(message, domains)
        let list = message.list
        self.init(
            findings: [
                Self.list(list, sender).map { Finding(.list, $0) },
                (Self.bulk(list) ?? sender.marketing).map { Finding(.bulk, $0) },
                (sender.network ?? Self.marked(list, .social)).map { Finding(.social, $0) },
                (Self.automatic(list) ?? sender.role).map { Finding(.automatic, $0) },
            ].compactMap { $0 }
        )
    }

    public func has(_ kind: Kind) -> Bool { findings.contains { $0.kind == kind } }

    /// Where people write to each other. What firms send newsletters with names a list as well, to which nobody can write.
    private static func list(_ list: ListHeaders, _ sender: BulkSender) -> String? {
        let post = list.post.flatMap { takesNoPosts($0) ? nil : $0 }
        if let id = list.identifier, post != nil || !isAnnouncement(list, sender) {
            return "List-Id \(Evidence.clean(id, limit: 80))"
        }
        if let post { return "List-Post \(Evidence.clean(post, limit: 80))" }
        if let mark = marked(list, .list) { return mark }
        return list.precedence?.lowercased() == "list" ? "Precedence list" : nil
    }

    private static func isAnnouncement(_ list: ListHeaders, _ sender: BulkSender) -> Bool {
        list.post.map(takesNoPosts) ?? (marked(list, .bulk) != nil || sender.marketing != nil)
    }

    /// `List-Post: NO` (RFC 2369, 3.4), with or without a comment.
    private static func takesNoPosts(_ post: String) -> Bool {
        post.prefix { !" \t(".contains($0) }.lowercased() == "no"
    }

    private static func bulk(_ list: ListHeaders) -> String? {
        if list.unsubscribe != nil { return "List-Unsubscribe" }
        if list.post.map(takesNoPosts) == true { return "List-Post no" }
        if let precedence = list.precedence?.lowercased(), precedence == "bulk" || precedence == "junk" {
            return "Precedence \(precedence)"
        }
        return marked(list, .bulk)
    }

    private static func automatic(_ list: ListHeaders) -> String? {
        if let how = list.autoSubmitted?.lowercased(), !how.hasPrefix("no") {
            return "Auto-Submitted \(Evidence.clean(how, limit: 40))"
        }
        return marked(list, .automatic)
    }

    private static func marked(_ list: ListHeaders, _ kind: Kind) -> String? {
        list.marks.lazy.compactMap { mark in
            TellingHeaders.kind(of: mark) == kind ? "the header \(mark)" : nil
        }.first
    }
}

/// What an address says of its owner.
private struct BulkSender {
    let host: LinkHost?
    private let local: String

    init(_ message: MailMessage, _ domains: any DomainKnowledge) {
        let address = message.from.first { !$0.address.isEmpty }
        host = SignReading.host(of: address, domains)
        local = String((address?.address ?? "").prefix { $0 != "@" }.prefix(100)).lowercased()
    }

    var network: String? {
        guard let host, let name = SocialNetworks.names[host.owner] else { return nil }
        return "\(name), which owns \(host.owner)"
    }

    /// `news.example.org`
    var marketing: String? {
        guard let host, let domain = host.registrableDomain, host.name != domain else { return nil }
        let first = host.name.prefix { $0 != "." }
        let digitless = first.prefix { !$0.isNumber }
        let isNumbered = digitless != first && SenderWords.numbered.contains(digitless)
        guard isNumbered || SenderWords.marketing.contains(first) else { return nil }
        return "sent from \(Evidence.clean(host.name, limit: 80))"
    }

    /// `no-reply@example.org`
    var role: String? {
        let joined = local.filter { !"-_.+".contains($0) }
        let words = local.split { "-_.+=".contains($0) }
        let isRole =
            SenderWords.joined.contains { joined.hasPrefix($0) || joined.hasSuffix($0) }
            || words.contains { SenderWords.roles.contains($0) }
        return isRole ? "sent by \(Evidence.clean(local, limit: 60))" : nil
    }
}
