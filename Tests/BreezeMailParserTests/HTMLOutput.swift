import Foundation

/// Reads what the sanitiser wrote by a grammar that is far narrower than HTML's, and says what does not fit it. Its
/// lists are its own.
struct HTMLOutput {
    private(set) var faults: [String] = []
    private(set) var depth = 0
    private(set) var elements: [String] = []
    private var open: [String] = []

    private static let harmless: Set<String> = Set(
        """
        a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn
        div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p pre q s
        samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
    private static let attributes: Set<String> = Set(
        """
        align alt bgcolor border cellpadding cellspacing color colspan datetime dir face height href lang nowrap rel
        reversed rowspan scope size span src start style target title type valign value width
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
    private static let void: Set<String> = ["br", "col", "hr", "img", "wbr"]

    init(_ html: String) {
        var rest = html[...]
        while let at = rest.firstIndex(of: "<") {
            text(rest[..<at])
            guard let end = rest[at...].firstIndex(of: ">") else {
                faults.append("a tag without end")
                return
            }
            tag(rest[rest.index(after: at)..<end])
            rest = rest[rest.index(after: end)...]
        }
        text(rest)
        if !open.isEmpty { faults.append("not closed: \(open)") }
    }

    private mutating func text(_ text: Substring) {
        if text.contains(">") { faults.append("a > in the text") }
        if text.unicodeScalars.contains(where: { $0.value < 32 && !"\t\n\r".unicodeScalars.contains($0) }) {
            faults.append("a control character")
        }
    }

    private mutating func tag(_ tag: Substring) {
        if tag.hasPrefix("/") {
            let name = String(tag.dropFirst())
            if open.popLast() != name { faults.append("\(name) closes another") }
            return
        }
        let name = String(tag.prefix { $0 != " " })
        if !Self.harmless.contains(name) { faults.append("the element \(name)") }
        elements.append(name)
        var rest = tag.dropFirst(name.count)
        while !rest.isEmpty {
            guard rest.first == " ", let equal = rest.firstIndex(of: "="),
                rest.index(equal, offsetBy: 1, limitedBy: rest.endIndex) != nil
            else { return faults.append("no attribute: \(rest)") }
            let attribute = String(rest[rest.index(after: rest.startIndex)..<equal])
            let value = rest[rest.index(after: equal)...]
            guard value.first == "\"", let end = value.dropFirst().firstIndex(of: "\"") else {
                return faults.append("a value without quotes: \(rest)")
            }
            take(attribute, String(value[value.index(after: value.startIndex)..<end]), name)
            rest = value[value.index(after: end)...]
        }
        guard !Self.void.contains(name) else { return }
        open.append(name)
        depth = max(depth, open.count)
    }

    private mutating func take(_ name: String, _ value: String, _ element: String) {
        if !Self.attributes.contains(name) { faults.append("the attribute \(name)") }
        if value.contains("<") || value.contains("`") { faults.append("a value with a mark: \(value)") }
        switch name {
        case "href":
            let isLink = ["http://", "https://", "mailto:"].contains { value.lowercased().hasPrefix($0) }
            if !isLink || element != "a" || value.contains(where: \.isWhitespace) {
                faults.append("the link \(value)")
            }
        case "src":
            let kinds = ["png", "jpeg", "gif", "webp"].map { "data:image/\($0);base64," }
            let kind = kinds.first { value.hasPrefix($0) }
            let isPlain = value.dropFirst(kind?.count ?? 0).allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0))
            }
            if kind == nil || !isPlain || element != "img" {
                faults.append("the picture \(value.prefix(80))")
            }
        case "style":
            let words = [
                "url", "expression", "import", "position", "@", "\\", "/*", "var(", "image", "binding",
            ]
            if words.contains(where: { value.contains($0) }) { faults.append("the style \(value)") }
        case "target": if value != "_blank" { faults.append("the target \(value)") }
        case "rel": if value != "noopener noreferrer nofollow" { faults.append("the rel \(value)") }
        default: break
        }
    }
}
