public import BreezeMail

/// Reads a message's headers, links and attachments for signs of fraud, and its words for those that speak to an AI.
/// Nothing is fetched.
///
/// It holds no state, so that one may be used by many threads at once.
public struct SignReader: Sendable {
    private let domains: any DomainKnowledge
    private let settings: SignSettings
    private let brands: BrandIndex
    private let known: KnownPhishing?

    /// Hosts of links and senders that are on the list `known` are a sign of their own.
    public init(
        domains: any DomainKnowledge = PlainDomains(),
        settings: SignSettings = SignSettings(),
        known: KnownPhishing? = nil
    ) {
        self.domains = domains
        self.settings = settings
        self.known = known
        brands = settings.brands.isEmpty ? .watched : BrandIndex(settings.brands + Brand.watched)
    }

    /// Any message may be given: what takes time is bounded by its size.
    public func signs(of message: MailMessage) -> MailSigns {
        var reading = SignReading(message, domains: domains, settings: settings, brands: brands, known: known)
        reading.readSender()
        reading.readLinks()
        reading.readContent()
        reading.readInstructions()
        reading.readAttachments()
        reading.readTricks()
        return reading.result
    }
}

/// One message being read.
struct SignReading {
    let message: MailMessage
    let domains: any DomainKnowledge
    let settings: SignSettings
    let brands: BrandIndex
    let known: KnownPhishing?
    let from: MailAddress?
    let fromHost: LinkHost?
    var signs = SignCollector()
    var read = MailSigns()
    /// Hosts that were met already: a newsletter has hundreds of links to few.
    private var hosts: [String: LinkHost] = [:]
    private var examined: Set<String> = []
    /// Entries of the list of known phishing that were told already.
    var listed: Set<String> = []

    /// Of hostile names no more is kept.
    private static let mostHosts = 10_000

    init(
        _ message: MailMessage,
        domains: any DomainKnowledge,
        settings: SignSettings,
        brands: BrandIndex,
        known: KnownPhishing?
    ) {
        self.message = message
        self.domains = domains
        self.settings = settings
        self.brands = brands
        self.known = known
        from = message.from.first { !$0.address.isEmpty }
        fromHost = Self.host(of: from, domains)
        read.fromDomain = fromHost?.owner
    }

    var result: MailSigns {
        var result = read
        result.signs = signs.signs
        return result
    }

    /// Whether it says that it went to many by a list.
    var isFromList: Bool { message.list.id != nil || message.list.post != nil }

    static func host(of address: MailAddress?, _ domains: any DomainKnowledge) -> LinkHost? {
        guard var domain = address?.domain, domain.utf8.count <= 1_000 else { return nil }
        // An address in place of a name (RFC 5321, 4.1.3).
        if domain.hasPrefix("["), domain.hasSuffix("]") {
            let literal = domain.dropFirst().dropLast()
            domain = literal.hasPrefix("ipv6:") ? "[\(literal.dropFirst(5))]" : String(literal)
        }
        return HostText.host(Array(domain.utf8)[...]).map { LinkHost($0, domains: domains) }
    }

    mutating func host(_ name: String) -> LinkHost {
        if let known = hosts[name] { return known }
        let host = LinkHost(name, domains: domains)
        if hosts.count < Self.mostHosts { hosts[name] = host }
        return host
    }

    /// Whether the host was not asked about before.
    mutating func isNew(_ host: LinkHost) -> Bool { examined.insert(host.name).inserted }
}
