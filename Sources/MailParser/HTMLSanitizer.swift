#if Mail
import BreezeMail

/// Makes of a stranger's page one that may be shown: ``SafeHTMLBuilder`` over libxml2's events.
final class HTMLSanitizer: HTMLEvents {
    private var builder: SafeHTMLBuilder
    private let limits: PageLimits

    private static let mostAttributes = 60

    /// `picture` gives the bytes of the part with a Content-ID.
    init(limits: PageLimits, picture: @escaping (String) -> [UInt8]?) {
        self.limits = limits
        builder = SafeHTMLBuilder(limits: limits, picture: picture)
    }

    func sanitize(_ html: String) -> SafeHTML {
        parse(html, upTo: limits.htmlBytes)
        return builder.finish()
    }

    override func open(_ name: String, _ attributes: Attributes?) {
        guard builder.depth < limits.depth else { return stop() }
        builder.open(name.lowercased(), Self.list(attributes, limit: Self.mostAttributes) { _ in true })
    }

    override func close(_ name: String) { builder.close(name.lowercased()) }

    override func characters(_ bytes: UnsafeBufferPointer<UInt8>) { builder.characters(bytes) }

    override func plain(_ text: String) { builder.append(text) }
}
#endif
