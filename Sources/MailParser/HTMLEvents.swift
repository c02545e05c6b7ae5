#if Mail
import BreezeMail
import CXml2

/// Reads HTML with libxml2's event interface, for a subclass: no tree is built, and how deep elements lie is the
/// subclass's own business.
class HTMLEvents {
    /// What of a page was left out.
    final var notices: [MailNotice] = []
    private var context: htmlParserCtxtPtr?
    /// Where in the page reading was stopped, in bytes.
    private var stoppedAt: Int?

    /// Pairs of a name and a value, with a null at the end.
    typealias Attributes = UnsafeMutablePointer<UnsafePointer<UInt8>?>

    func open(_ name: String, _ attributes: Attributes?) {}
    func close(_ name: String) {}
    func characters(_ bytes: UnsafeBufferPointer<UInt8>) {}

    /// Text without its tags, from where elements lie too deep to be read.
    func plain(_ text: String) {}

    /// Reads the first `most` bytes.
    final func parse(_ html: String, upTo most: Int) {
        var page = html
        page.withUTF8 { bytes in
            let read = UnsafeBufferPointer(rebasing: bytes.prefix(most))
            if read.count < bytes.count {
                notices.append(MailNotice(.htmlTooLong, count: bytes.count - read.count))
            }
            parse(read)
            if let stoppedAt {
                notices.append(MailNotice(.htmlTooDeep, count: read.count - stoppedAt))
                plain(MarkupStripper.text(read[min(stoppedAt, read.count)...]))
            }
        }
    }

    /// - Parameter bytes: UTF-8.
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

    /// Nothing that follows is told.
    final func stop() {
        stoppedAt = position
        xmlStopParser(context)
    }

    /// Called by libxml2 on the thread that parses.
    private static func makeEvents() -> xmlSAXHandler {
        var events = xmlSAXHandler()
        events.startElement = { reader, name, attributes in
            guard let name, let reader = HTMLEvents.from(reader), reader.stoppedAt == nil else { return }
            reader.open(String(cString: name), attributes)
        }
        events.endElement = { reader, name in
            guard let name else { return }
            HTMLEvents.from(reader)?.close(String(cString: name))
        }
        events.characters = { reader, text, count in HTMLEvents.from(reader)?.take(text, count) }
        events.ignorableWhitespace = { reader, text, count in HTMLEvents.from(reader)?.take(text, count) }
        return events
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> HTMLEvents? {
        pointer.map { Unmanaged<HTMLEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private final func take(_ text: UnsafePointer<UInt8>?, _ count: Int32) {
        guard let text, count > 0, stoppedAt == nil else { return }
        characters(UnsafeBufferPointer(start: text, count: Int(count)))
    }

    /// In bytes of the page, which libxml2 reads as it is since it is UTF-8.
    private var position: Int {
        guard let input = context?.pointee.input, let current = input.pointee.cur,
            let base = input.pointee.base
        else { return 0 }
        return Int(input.pointee.consumed) + (current - base)
    }

    /// Attributes that `isWanted`, of the first two hundred at most `limit`.
    static func list(_ attributes: Attributes?, limit: Int, _ isWanted: (String) -> Bool)
        -> [(name: String, value: String)]
    {
        guard let attributes else { return [] }
        var found: [(name: String, value: String)] = []
        var at = 0
        while let name = attributes[at], found.count < limit, at < 400 {
            let text = String(cString: name)
            if isWanted(text) {
                found.append((text, attributes[at + 1].map { String(cString: $0) } ?? ""))
            }
            at += 2
        }
        return found
    }
}
#endif
