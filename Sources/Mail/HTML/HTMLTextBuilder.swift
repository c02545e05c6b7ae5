/// Makes text of a page from the events of an HTML parser: keeps what a reader sees, counts what is hidden, lists
/// links. It sees each element once, keeps one frame for each open one, and never recurses.
public struct HTMLTextBuilder {
    public private(set) var findings = HTMLFindings()
    /// Links that came after the first ``MailLimits/links``.
    public private(set) var droppedLinks = 0
    private var text = TextFlow()
    private var frames: [Frame] = []
    private var openLinks: [OpenLink] = []
    private let mostLinks: Int
    private var hiddenSample: [UInt8] = []

    private static let longestSample = 2_000
    private static let longestLinkText = 1_000
    private static let longestTarget = 10_000

    /// One open element.
    private struct Frame {
        var name: String
        var isSkipped = false
        var look = TextLook()
        var isPreformatted = false
        var isQuote = false
        var isLink = false
    }

    private struct OpenLink {
        var index: Int?
        var start: Int
    }

    public init(mostLinks: Int = MailLimits().links) {
        self.mostLinks = mostLinks
    }

    /// How many elements are open.
    public var depth: Int { frames.count }

    /// `name` in lower case; `attributes` as the page has them, entities decoded.
    public mutating func open(_ name: String, _ attributes: [(name: String, value: String)]) {
        var frame = frames.last ?? Frame(name: "")
        frame.name = name
        (frame.isQuote, frame.isLink) = (false, false)
        count(name)
        frame.isSkipped = frame.isSkipped || Self.skipped.contains(name)
        frame.look.take(name, attributes)
        if !frame.isSkipped { begin(name, attributes, &frame) }
        frames.append(frame)
    }

    /// Of the innermost open element of that name, and with it of what is open inside.
    public mutating func close(_ name: String) {
        guard let at = frames.lastIndex(where: { $0.name == name }) else { return }
        while frames.count > at {
            guard let frame = frames.popLast() else { return }
            if !frame.isSkipped { end(frame) }
        }
    }

    public mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let frame = frames.last else { return text.append(bytes, isPreformatted: false) }
        if frame.isSkipped { return }
        if let why = frame.look.hiding {
            hide(bytes, why)
        } else {
            text.append(bytes, isPreformatted: frame.isPreformatted)
        }
    }

    /// Text that a reader sees, wherever it stands.
    public mutating func append(_ visible: String) {
        var copy = visible
        copy.withUTF8 { text.append($0, isPreformatted: false) }
    }

    /// Ends all that is open.
    public mutating func finish() -> String {
        while let frame = frames.last { close(frame.name) }
        findings.hiddenSample = String(decoding: hiddenSample, as: UTF8.self)
        return text.finish()
    }

    private static let skipped: Set<String> = [
        "script", "style", "head", "template", "object", "svg", "title", "noframes", "applet", "select",
    ]
    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset",
        "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav",
        "ol",
        "p", "pre", "section", "table", "tbody", "tfoot", "thead", "tr", "ul",
    ]
    private static let paragraphs: Set<String> = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "blockquote", "table", "pre",
    ]

    private mutating func count(_ name: String) {
        if name == "form" { findings.forms += 1 }
        if name == "script" { findings.scripts += 1 }
    }

    private mutating func begin(
        _ name: String,
        _ attributes: [(name: String, value: String)],
        _ frame: inout Frame
    ) {
        switch name {
        case "br": text.lineBreak()
        case "a": openLink(attributes, &frame)
        case "img": image(attributes, frame)
        case "pre", "textarea": frame.isPreformatted = true
        case "td", "th": text.space()
        case "blockquote" where Self.isQuote(attributes): frame.isQuote = true
        default: break
        }
        if Self.blocks.contains(name) { text.block(isParagraph: Self.paragraphs.contains(name)) }
        if frame.isQuote { text.beginQuote() }
        if name == "li", frame.look.hiding == nil { append("- ") }
    }

    private mutating func end(_ frame: Frame) {
        if frame.isLink, let link = openLinks.popLast(), let index = link.index {
            let words = text.string(from: link.start).prefix(Self.longestLinkText)
            findings.links[index].text = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        if frame.isQuote { text.endQuote() }
        if Self.blocks.contains(frame.name) { text.block(isParagraph: Self.paragraphs.contains(frame.name)) }
    }

    private mutating func openLink(_ attributes: [(name: String, value: String)], _ frame: inout Frame) {
        guard let target = attributes.first(where: { $0.name == "href" })?.value.trimmed, !target.isEmpty
        else {
            return
        }
        frame.isLink = true
        guard findings.links.count < mostLinks else {
            droppedLinks += 1
            return openLinks.append(OpenLink(index: nil, start: 0))
        }
        let isHidden = frame.look.hiding != nil
        let shown = String(target.prefix(Self.longestTarget))
        findings.links.append(HTMLLink(text: "", target: shown, isHidden: isHidden))
        openLinks.append(OpenLink(index: findings.links.count - 1, start: text.count))
    }

    private mutating func image(_ attributes: [(name: String, value: String)], _ frame: Frame) {
        func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
        let style = value("style").map { InlineStyle($0) }
        let source = value("src")?.trimmed.lowercased() ?? ""
        if source.hasPrefix("http:") || source.hasPrefix("https:") || source.hasPrefix("//") {
            findings.remoteImages += 1
            let sizes = [
                value("width").flatMap { InlineStyle.length($0) } ?? style?.width,
                value("height").flatMap { InlineStyle.length($0) } ?? style?.height,
            ].compactMap { $0 }
            // One edge alone is a spacer or a rule.
            let isTiny = sizes.count == 2 && sizes.allSatisfy { $0 <= 2 }
            if isTiny || (frame.look.hidden != nil && frame.look.hidden != .ariaHidden) {
                findings.trackingPixels += 1
            }
        }
        if let words = value("alt"), frame.look.hidden == nil { append(words) }
    }

    private static func isQuote(_ attributes: [(name: String, value: String)]) -> Bool {
        attributes.contains { name, value in
            switch name {
            case "type": value.lowercased() == "cite"
            case "class", "id": value.lowercased().contains("quote")
            case "style": value.lowercased().contains("border-left")
            case "cite": true
            default: false
            }
        }
    }

    private mutating func hide(_ bytes: UnsafeBufferPointer<UInt8>, _ why: HiddenText) {
        let words = String(decoding: bytes, as: UTF8.self)
        let count = words.unicodeScalars.count { !TextFlow.isPadding($0) }
        guard count > 0 else { return }
        findings.hidden[why, default: 0] += count
        guard hiddenSample.count < Self.longestSample else { return }
        if !hiddenSample.isEmpty { hiddenSample.append(UInt8(ascii: " ")) }
        let line = words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        hiddenSample += Array(line.prefix(Self.longestSample - hiddenSample.count).utf8)
    }
}
