#if Mail
import BreezeMail
import CXml2

/// Reads HTML with libxml2's event interface: no tree is built, and how deep elements lie is our own business.
final class HTMLReader {
    private(set) var notices: [MailNotice] = []
    private var builder: HTMLTextBuilder
    private let limits: MailLimits
    private var context: htmlParserCtxtPtr?
    /// Where in the page the elements became too deep.
    private var stoppedAt: Int?

    init(limits: MailLimits) {
        self.limits = limits
        builder = HTMLTextBuilder(mostLinks: limits.links)
    }

    func read(_ html: String) -> (text: String, findings: HTMLFindings) {
        var page = html
        page.withUTF8 { bytes in
            let read = UnsafeBufferPointer(rebasing: bytes.prefix(limits.htmlBytes))
            if read.count < bytes.count {
                notices.append(MailNotice(.htmlTooLong, count: bytes.count - read.count))
            }
            parse(read)
            if let stoppedAt {
                notices.append(MailNotice(.htmlTooDeep, count: read.count - stoppedAt))
                builder.append(MarkupStripper.text(read[min(stoppedAt, read.count)...]))
            }
        }
        let text = builder.finish()
        if builder.droppedLinks > 0 { notices.append(MailNotice(.linksDropped, count: builder.droppedLinks)) }
        return (text, builder.findings)
    }

    private func parse(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard GMimeLibrary.isReady, !bytes.isEmpty, let context = htmlNewParserCtxt() else { return }
        defer { htmlFreeParserCtxt(context) }
        self.context = context
        context.pointee.sax.pointee = Self.makeEvents()
        context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        bytes.withMemoryRebound(to: CChar.self) { characters in
            let start = characters.baseAddress
            // There is no document: the events are all.
            _ = htmlCtxtReadMemory(context, start, Int32(characters.count), nil, "utf-8", Int32(options))
        }
        self.context = nil
    }

    /// Called by libxml2 on the thread that parses.
    private static func makeEvents() -> xmlSAXHandler {
        var events = xmlSAXHandler()
        events.startElement = { reader, name, attributes in
            HTMLReader.from(reader)?.open(name, attributes)
        }
        events.endElement = { reader, name in
            guard let name else { return }
            HTMLReader.from(reader)?.builder.close(String(cString: name))
        }
        events.characters = { reader, text, count in HTMLReader.from(reader)?.characters(text, count) }
        events.ignorableWhitespace = { reader, text, count in HTMLReader.from(reader)?.characters(text, count)
        }
        return events
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> HTMLReader? {
        pointer.map { Unmanaged<HTMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func characters(_ text: UnsafePointer<UInt8>?, _ count: Int32) {
        guard let text, count > 0, stoppedAt == nil else { return }
        builder.characters(UnsafeBufferPointer(start: text, count: Int(count)))
    }

    private func open(
        _ name: UnsafePointer<UInt8>?,
        _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    ) {
        guard let name, stoppedAt == nil else { return }
        if builder.depth >= limits.htmlDepth {
            stoppedAt = position
            xmlStopParser(context)
            return
        }
        builder.open(String(cString: name), Self.wanted(attributes))
    }

    /// In bytes of the page, which libxml2 reads as it is since it is UTF-8.
    private var position: Int {
        guard let input = context?.pointee.input, let current = input.pointee.cur,
            let base = input.pointee.base
        else { return 0 }
        return Int(input.pointee.consumed) + (current - base)
    }

    private static let names: Set<String> = [
        "style", "href", "src", "width", "height", "hidden", "aria-hidden", "color", "bgcolor", "background",
        "text",
        "class", "id", "type", "alt", "cite",
    ]

    private static func wanted(_ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?)
        -> [(name: String, value: String)]
    {
        guard let attributes else { return [] }
        var found: [(name: String, value: String)] = []
        var at = 0
        // Pairs, and a null at the end.
        while let name = attributes[at], found.count < 20, at < 400 {
            let text = String(cString: name)
            if names.contains(text) {
                found.append((text, attributes[at + 1].map { String(cString: $0) } ?? ""))
            }
            at += 2
        }
        return found
    }
}
#endif
