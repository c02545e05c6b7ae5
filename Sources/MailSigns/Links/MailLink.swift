/// Where a link leads, read from its URL as browsers read it.
///
/// Any text may be given: what is malformed is read as far as it goes, in time that grows with its length alone.
public struct MailLink: Codable, Hashable, Sendable {
    /// In lower case; empty for `//host` and for `www.host`.
    public let scheme: String
    /// What stands before `@` in front of the host, at most 200 bytes: a trick to make a host look like another.
    public let userInfo: String?
    /// `nil` for `mailto:`, `data:` and others that have none.
    public let host: LinkHost?
    /// Bytes of the host as it is written; ``LinkHost/name`` may be shorter.
    public let hostLength: Int
    public let port: Int?
    /// The beginning of what follows the scheme where there is no host, at most 120 bytes.
    public let opaque: String
    /// The host of a URL within this one.
    public let nestedHost: String?

    /// `nil` for what leads nowhere by itself: a relative link, a fragment, nothing.
    public init?(_ text: some StringProtocol, domains: any DomainKnowledge) {
        guard let parts = LinkParts(text) else { return nil }
        self.init(parts, host: parts.host.map { LinkHost($0, domains: domains) })
    }

    init(_ parts: LinkParts, host: LinkHost?) {
        scheme = parts.scheme
        userInfo = parts.userInfo
        self.host = host
        hostLength = parts.hostLength
        port = parts.port
        opaque = parts.opaque
        nestedHost = parts.nestedHost
    }

    /// Links in plain text, at most `limit`, in order and as they are written.
    public static func links(in text: String, limit: Int = 1_000) -> [String] {
        TextLinks.find(in: text, limit: limit)
    }
}

/// The host of a link or of an address.
public struct LinkHost: Codable, Hashable, Sendable {
    /// In lower case, as punycode or in Unicode, at most 253 bytes.
    public let name: String
    /// ``name`` with its punycode decoded.
    public let unicode: String
    /// `nil` for an address, a host of one label, and an ending that is shared.
    public let registrableDomain: String?
    /// The address, where the host is one and no name.
    public let numeric: NumericHost?
    /// Names between dots; 0 for an address.
    public let labels: Int

    /// - Parameters:
    ///   - name: in lower case, without a dot at its end.
    ///   - domains: what it is known by.
    public init(_ name: String, domains: any DomainKnowledge) {
        self.name = name
        numeric = NumericHost(name)
        labels = numeric == nil ? name.utf8.split(separator: UInt8(ascii: ".")).count : 0
        unicode =
            numeric == nil && (name.contains("xn--") || !name.isASCII) ? domains.unicodeHost(name) : name
        registrableDomain = numeric == nil && labels > 1 ? domains.registrableDomain(of: name) : nil
    }

    /// The registrable domain, else the address, else the name: two hosts of one owner have the same.
    public var owner: String { registrableDomain ?? numeric?.address ?? name }

    /// Whether it has letters beyond ASCII.
    public var isInternational: Bool { unicode != name || !name.isASCII }

    /// The part that was registered, without its ending, in Unicode: `paypal` of `www.paypal.co.uk`.
    public var label: String? {
        guard let registrableDomain else { return nil }
        let count = registrableDomain.utf8.split(separator: UInt8(ascii: ".")).count
        let labels = unicode.split(separator: ".")
        return labels.count >= count ? String(labels[labels.count - count]) : nil
    }
}
