#if Mail
import BreezeMail

/// Reads a page's text, links and what hides in it.
final class HTMLReader: HTMLEvents {
    private var builder: HTMLTextBuilder
    private let limits: MailLimits

    init(limits: MailLimits) {
        self.limits = limits
        builder = HTMLTextBuilder(mostLinks: limits.links)
    }

    func read(_ html: String) -> (text: String, findings: HTMLFindings) {
        parse(html, upTo: limits.htmlBytes)
        let text = builder.finish()
        if builder.droppedLinks > 0 { notices.append(MailNotice(.linksDropped, count: builder.droppedLinks)) }
        return (text, builder.findings)
    }

    override func open(_ name: String, _ attributes: Attributes?) {
        guard builder.depth < limits.htmlDepth else { return stop() }
        builder.open(name, Self.list(attributes, limit: 20) { Self.names.contains($0) })
    }

    override func close(_ name: String) { builder.close(name) }

    override func characters(_ bytes: UnsafeBufferPointer<UInt8>) { builder.characters(bytes) }

    override func plain(_ text: String) { builder.append(text) }

    private static let names: Set<String> = [
        "style", "href", "src", "width", "height", "hidden", "aria-hidden", "color", "bgcolor", "background",
        "text",
        "class", "id", "type", "alt", "cite",
    ]
}
#endif
