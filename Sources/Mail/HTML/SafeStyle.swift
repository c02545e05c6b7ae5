/// Declarations of a `style` attribute that change how a text looks and nothing else: none asks for anything, moves out
/// of its place, or covers what others wrote.
enum SafeStyle {
    private static let longest = 10_000
    private static let longestValue = 200
    private static let mostDeclarations = 100

    private static let properties: Set<String> = {
        var names: Set<String> = [
            "color", "background-color", "background", "font", "font-family", "font-size", "font-style",
            "font-weight", "font-variant", "line-height", "letter-spacing", "word-spacing", "text-align",
            "text-decoration", "text-transform", "text-indent", "vertical-align", "white-space", "word-break",
            "word-wrap", "overflow-wrap", "direction", "width", "height", "min-width", "max-width",
            "min-height", "max-height", "border-collapse", "border-spacing", "border-radius", "table-layout",
            "caption-side", "list-style-type", "list-style-position", "display", "float", "clear", "opacity",
            "margin", "padding", "border", "border-width", "border-style", "border-color",
        ]
        for side in ["top", "right", "bottom", "left"] {
            names.formUnion(["margin-\(side)", "padding-\(side)", "border-\(side)"])
            for part in ["width", "style", "color"] { names.insert("border-\(side)-\(part)") }
        }
        return names
    }()
    private static let displays: Set<String> = [
        "inline", "block", "inline-block", "table", "inline-table", "table-row", "table-cell", "list-item",
    ]
    private static let functions: Set<String> = ["rgb", "rgba", "hsl", "hsla"]

    /// Empty where nothing is left. In ASCII without quotes, `<` and `&`.
    static func text(_ style: String) -> String {
        var kept: [String] = []
        for declaration in style.prefix(longest).split(separator: ";").prefix(mostDeclarations) {
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            let property = declaration[..<colon].trimmed.lowercased()
            let value = declaration[declaration.index(after: colon)...].trimmed.lowercased()
                .replacing("!important", with: "").trimmed
            guard properties.contains(property), let safe = Self.value(value, of: property) else { continue }
            kept.append("\(property == "background" ? "background-color" : property): \(safe)")
        }
        return kept.joined(separator: "; ")
    }

    private static func value(_ text: String, of property: String) -> String? {
        var value = text
        if property == "background", !isColour(value) {
            // Of a colour and a picture the colour.
            return value.split(separator: " ").first { isColour(String($0)) }.map(String.init)
        }
        if property == "font" || property == "font-family" {
            value.removeAll { $0 == "'" || $0 == "\"" }
        }
        guard !value.isEmpty, value.utf8.count <= longestValue, value.utf8.allSatisfy(isPlain),
            !value.contains("/*"), hasSafeFunctions(value)
        else { return nil }
        return property == "display" && !displays.contains(value) ? nil : value
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: " #%.,()+-/".utf8.contains(byte)
        }
    }

    /// Whether only colours are called by name, none within another.
    private static func hasSafeFunctions(_ value: String) -> Bool {
        var (name, isOpen) = ("", false)
        for character in value {
            switch character {
            case "(":
                guard !isOpen, functions.contains(name) else { return false }
                isOpen = true
            case ")":
                guard isOpen else { return false }
                isOpen = false
            case "a"..."z", "0"..."9", "-":
                name.append(character)
                continue
            default: break
            }
            name = ""
        }
        return !isOpen
    }

    static func isColour(_ value: String) -> Bool {
        if value.hasPrefix("#") {
            return (4...9).contains(value.utf8.count) && value.dropFirst().allSatisfy(\.isHexDigit)
        }
        if let open = value.firstIndex(of: "(") {
            return functions.contains(String(value[..<open])) && value.hasSuffix(")")
                && value.utf8.allSatisfy(isPlain) && hasSafeFunctions(value)
        }
        return (3...25).contains(value.utf8.count)
            && value.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}
