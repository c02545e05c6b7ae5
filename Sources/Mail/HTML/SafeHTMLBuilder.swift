import Foundation

/// Writes a page anew from the events of an HTML parser: what is known to be harmless, and nothing else.
///
/// Nothing of the page is copied as it stands. Elements and attributes come from fixed lists, values from fixed
/// grammars, texts are escaped; no element is written whose content a browser reads by other rules (scripts, styles, SVG,
/// MathML, comments, templates). So a browser cannot read the result otherwise than it was written.
public struct SafeHTMLBuilder {
    public private(set) var page = SafeHTML()
    private var output: [UInt8] = []
    private var frames: [Frame] = []
    private var shownDepth = 0
    private var pictureBytes = 0
    private let limits: PageLimits
    private let picture: (String) -> [UInt8]?

    /// One open element of the page.
    private struct Frame {
        var name: String
        /// What was written for it, and has to be closed.
        var written: String?
        var isDropped = false
        var look = TextLook()
    }

    /// `picture` gives the bytes of the part with a Content-ID, without brackets; `nil` where there is none.
    public init(limits: PageLimits = PageLimits(), picture: @escaping (String) -> [UInt8]? = { _ in nil }) {
        self.limits = limits
        self.picture = picture
    }

    /// How many elements are open.
    public var depth: Int { frames.count }

    /// `name` in lower case; `attributes` as the page has them, entities decoded.
    public mutating func open(_ name: String, _ attributes: [(name: String, value: String)]) {
        var frame = frames.last ?? Frame(name: "")
        (frame.name, frame.written) = (name, nil)
        count(name, attributes)
        frame.isDropped = frame.isDropped || SafeMarkup.dropped.contains(name)
        // What is hidden from reading programs alone is seen.
        frame.look.take(name, attributes.filter { $0.name != "aria-hidden" })
        if !frame.isDropped, frame.look.hidden == nil { write(name, attributes, &frame) }
        frames.append(frame)
    }

    /// Of the innermost open element of that name, and with it of what is open inside.
    public mutating func close(_ name: String) {
        guard let at = frames.lastIndex(where: { $0.name == name }) else { return }
        while frames.count > at { end() }
    }

    public mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let frame = frames.last else { return write(bytes) }
        if frame.isDropped {
            if frame.name == "style" {
                page.remote += RemoteContent.count(style: String(decoding: bytes, as: UTF8.self))
            }
        } else if let why = frame.look.hiding {
            let count = String(decoding: bytes, as: UTF8.self).unicodeScalars.count {
                !TextFlow.isPadding($0)
            }
            if count > 0 { page.hidden[why, default: 0] += count }
        } else {
            write(bytes)
        }
    }

    /// Text that a reader sees, after all that is open was closed.
    public mutating func append(_ visible: String) {
        while !frames.isEmpty { end() }
        var copy = visible
        copy.withUTF8 { write($0) }
    }

    /// Ends all that is open.
    public mutating func finish() -> SafeHTML {
        while !frames.isEmpty { end() }
        page.html = String(decoding: output, as: UTF8.self)
        return page
    }

    private mutating func end() {
        guard let frame = frames.popLast(), let written = frame.written else { return }
        // What was begun is ended, also beyond the limit.
        output += "</\(written)>".utf8
        shownDepth -= 1
    }

    private mutating func count(_ name: String, _ attributes: [(name: String, value: String)]) {
        page.remote += RemoteContent.count(name, attributes)
        if name == "script" { page.scripts += 1 }
        if SafeMarkup.controls.contains(name) { page.controls += 1 }
    }

    // MARK: - Writing

    private var hasRoom: Bool { output.count < limits.shownBytes }

    private mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard hasRoom else {
            page.isCut = true
            return
        }
        SafeMarkup.escape(bytes, into: &output)
    }

    private mutating func write(
        _ name: String,
        _ attributes: [(name: String, value: String)],
        _ frame: inout Frame
    ) {
        guard hasRoom else {
            page.isCut = true
            return
        }
        let element = name == "body" ? "div" : name
        guard SafeMarkup.elements.contains(element) else { return }
        let isVoid = SafeMarkup.voids.contains(element)
        guard isVoid || shownDepth < limits.shownDepth else { return }
        let kept = SafeMarkup.attributes(attributes, of: name)
        // Parsers put in a body where a page has none.
        if name == "body", kept.isEmpty { return }
        output += "<\(element)".utf8
        for (name, value) in kept { write(name, value) }
        if element == "img", let source = attributes.first(where: { $0.name == "src" })?.value {
            if let address = address(ofPicture: source.trimmed) { write("src", address) }
        }
        output.append(UInt8(ascii: ">"))
        guard !isVoid else { return }
        frame.written = element
        shownDepth += 1
    }

    private mutating func write(_ name: String, _ value: String) {
        output += " \(name)=\"".utf8
        var copy = value
        copy.withUTF8 { SafeMarkup.escape($0, into: &output) }
        output.append(UInt8(ascii: "\""))
    }

    /// Of a picture that the message holds itself.
    private mutating func address(ofPicture source: String) -> String? {
        let start = source.prefix(5).lowercased()
        let bytes: [UInt8]?
        if start.hasPrefix("cid:") {
            let id = source.dropFirst(4)
            bytes = picture(id.removingPercentEncoding ?? String(id))
        } else if start == "data:" {
            bytes = SafePicture.bytes(ofAddress: source, limit: limits.pictureBytes)
        } else {
            return nil
        }
        guard let bytes, bytes.count <= limits.pictureBytes,
            pictureBytes + bytes.count <= limits.allPictureBytes, let address = SafePicture.address(of: bytes)
        else {
            page.picturesDropped += 1
            return nil
        }
        pictureBytes += bytes.count
        page.pictures += 1
        return address
    }
}
