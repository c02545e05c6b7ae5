import Foundation

/// What may stand in a page that a stranger wrote. What is in none of these lists is left out; of an unknown element the
/// content stays.
enum SafeMarkup {
    static let elements: Set<String> = [
        "a", "abbr", "acronym", "address", "article", "aside", "b", "bdi", "bdo", "big", "blockquote", "br",
        "caption", "center", "cite", "code", "col", "colgroup", "dd", "del", "dfn", "div", "dl", "dt", "em",
        "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "i",
        "img", "ins", "kbd", "li", "main", "mark", "nav", "ol", "p", "pre", "q", "s", "samp", "section",
        "small", "span", "strike", "strong", "sub", "sup", "table", "tbody", "td", "tfoot", "th", "thead",
        "time", "tr", "tt", "u", "ul", "var", "wbr",
    ]
    static let voids: Set<String> = ["br", "col", "hr", "img", "wbr"]
    /// With all that is inside of them.
    static let dropped: Set<String> = [
        "script", "style", "head", "title", "template", "object", "embed", "applet", "svg", "math", "iframe",
        "frame", "frameset", "noframes", "noembed", "noscript", "xmp", "plaintext", "listing", "audio",
        "video", "canvas", "map", "portal", "select", "textarea", "datalist", "option", "meter", "progress",
        "dialog",
    ]
    static let controls: Set<String> = [
        "input", "select", "textarea", "button", "keygen", "isindex", "datalist",
    ]

    private static let tables: Set<String> = [
        "table", "thead", "tbody", "tfoot", "tr", "td", "th", "col", "colgroup",
    ]
    private static let longestLink = 8_000
    private static let longestTitle = 1_000

    /// In the order of the page, each name once.
    static func attributes(_ all: [(name: String, value: String)], of element: String)
        -> [(name: String, value: String)]
    {
        var seen: Set<String> = []
        var kept: [(name: String, value: String)] = []
        for (name, value) in all where seen.insert(name).inserted {
            if let safe = self.value(of: name, value, element) { kept.append((name, safe)) }
        }
        let colours = [("bgcolor", "background-color"), ("text", "color")].compactMap { name, property in
            element == "body"
                ? all.first { $0.name == name && SafeStyle.isColour($0.value.trimmed.lowercased()) }
                    .map { "\(property): \($0.value.trimmed.lowercased())" } : nil
        }
        if !colours.isEmpty {
            let style = kept.first { $0.name == "style" }?.value
            kept.removeAll { $0.name == "style" || $0.name == "bgcolor" }
            kept.append(("style", (colours + [style].compactMap(\.self)).joined(separator: "; ")))
        }
        if element == "a", seen.contains("href"), kept.contains(where: { $0.name == "href" }) {
            kept.append(("target", "_blank"))
            kept.append(("rel", "noopener noreferrer nofollow"))
        }
        return kept
    }

    private static func value(of name: String, _ value: String, _ element: String) -> String? {
        switch name {
        case "style":
            let style = SafeStyle.text(value)
            return style.isEmpty ? nil : style
        case "href": return element == "a" ? link(value) : nil
        case "title": return String(value.prefix(longestTitle))
        case "alt": return element == "img" ? String(value.prefix(longestTitle)) : nil
        case "dir": return word(value, of: ["ltr", "rtl", "auto"])
        case "lang": return plain(value, most: 35)
        case "align":
            return word(value, of: ["left", "right", "center", "justify", "top", "middle", "bottom"])
        case "width", "height":
            return element == "img" || element == "hr" || tables.contains(element) ? length(value) : nil
        case "border", "cellpadding", "cellspacing":
            return element == "table" || element == "img" ? length(value) : nil
        case "bgcolor": return tables.contains(element) ? colour(value) : nil
        case "valign":
            return tables.contains(element) ? word(value, of: ["top", "middle", "bottom", "baseline"]) : nil
        case "nowrap": return element == "td" || element == "th" ? "" : nil
        case "colspan", "rowspan", "span": return tables.contains(element) ? number(value, 1...1_000) : nil
        case "scope": return element == "th" ? word(value, of: ["row", "col", "rowgroup", "colgroup"]) : nil
        case "color": return element == "font" || element == "hr" ? colour(value) : nil
        case "size": return element == "font" || element == "hr" ? number(value, -20...20) : nil
        case "face": return element == "font" ? plain(value, most: 200) : nil
        case "type":
            return element == "ol" || element == "ul" || element == "li" ? plain(value, most: 10) : nil
        case "start", "value":
            return element == "ol" || element == "li" ? number(value, -99_999...99_999) : nil
        case "reversed": return element == "ol" ? "" : nil
        case "datetime": return element == "time" ? plain(value, most: 40) : nil
        default: return nil
        }
    }

    /// Only what a browser opens as a page or a letter. Browsers skip controls and line ends within an address, so that
    /// they count for nothing here either.
    private static func link(_ value: String) -> String? {
        guard value.utf8.count <= longestLink else { return nil }
        let kept = value.trimmed.unicodeScalars.filter { $0.value > 0x1F && $0.value != 0x7F }
        let text = String(String.UnicodeScalarView(kept)).replacing(" ", with: "%20")
        let start = text.prefix(8).lowercased()
        return ["http://", "https://", "mailto:"].contains { start.hasPrefix($0) } ? text : nil
    }

    private static func word(_ value: String, of words: Set<String>) -> String? {
        let word = value.trimmed.lowercased()
        return words.contains(word) ? word : nil
    }

    private static func plain(_ value: String, most: Int) -> String? {
        let isPlain =
            value.utf8.count <= most
            && value.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    ? scalar.properties.isAlphabetic || (48...57).contains(scalar.value)
                        || " ,.:+-_".unicodeScalars.contains(scalar)
                    : scalar.properties.isAlphabetic
            }
        return isPlain && !value.isEmpty ? value : nil
    }

    private static func colour(_ value: String) -> String? {
        let text = value.trimmed.lowercased()
        if SafeStyle.isColour(text), !text.contains("(") { return text }
        // Old pages leave the mark out.
        return text.utf8.count == 6 && text.allSatisfy(\.isHexDigit) ? "#" + text : nil
    }

    private static func length(_ value: String) -> String? {
        var text = value.trimmed.lowercased()
        let isShare = text.hasSuffix("%")
        if isShare { text.removeLast() } else if text.hasSuffix("px") { text.removeLast(2) }
        guard let number = Double(text), number.isFinite, (0...10_000).contains(number) else { return nil }
        return "\(Int(number))\(isShare ? "%" : "")"
    }

    private static func number(_ value: String, _ range: ClosedRange<Int>) -> String? {
        let text = value.trimmed
        guard let number = Int(text), range.contains(number) else { return nil }
        return text.hasPrefix("+") ? "+\(number)" : "\(number)"
    }

    /// For texts and for values in double quotes. Control characters are left out.
    static func escape(_ bytes: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            case UInt8(ascii: "'"): output += "&#39;".utf8
            case UInt8(ascii: "`"): output += "&#96;".utf8
            case 9, 10, 13: output.append(byte)
            case 0..<32, 127: break
            default: output.append(byte)
            }
        }
    }
}

/// What a browser would ask of the network by showing an element.
enum RemoteContent {
    private static let sources: Set<String> = [
        "src", "srcset", "background", "poster", "lowsrc", "dynsrc", "data", "codebase", "archive", "classid",
        "manifest", "icon", "profile",
    ]
    /// Elements whose link is fetched without anybody's asking.
    private static let fetching: Set<String> = ["link", "image", "use", "feimage", "script", "base"]

    static func count(_ name: String, _ attributes: [(name: String, value: String)]) -> Int {
        var count = 0
        for (attribute, value) in attributes {
            if sources.contains(attribute) || (fetching.contains(name) && attribute.hasSuffix("href")) {
                if isRemote(value) { count += 1 }
            }
            if attribute == "style" { count += self.count(style: value) }
            if name == "meta", attribute == "http-equiv", value.trimmed.lowercased() == "refresh" {
                count += 1
            }
        }
        return count
    }

    static func count(style: String) -> Int {
        let text = style.lowercased()
        return text.ranges(of: "url(").count {
            !text[$0.upperBound...].drop { " '\"".contains($0) }.hasPrefix("data:")
        }
            + text.ranges(of: "@import").count + text.ranges(of: "image-set(").count
    }

    private static func isRemote(_ value: String) -> Bool {
        let text = value.trimmed.prefix(6).lowercased()
        return !text.isEmpty && !["data:", "cid:", "about:", "#"].contains { text.hasPrefix($0) }
    }
}
