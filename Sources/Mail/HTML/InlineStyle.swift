/// What a `style` attribute says about whether its element can be seen.
struct InlineStyle {
    var hidden: HiddenText?
    var fontSize: FontSize?
    var colour: HTMLColour?
    var background: Background?
    var width: Double?
    var height: Double?
    private var clipsOverflow = false
    private var isPlaced = false
    private var offset: Double?

    enum FontSize {
        case pixels(Double)
        /// Of the surrounding text's size.
        case relative(Double)
    }

    enum Background {
        case colour(HTMLColour)
        /// An image or gradient: nobody knows what is behind the text.
        case unknown
    }

    init(_ style: String) {
        for declaration in style.prefix(10_000).split(separator: ";") {
            guard let colon = declaration.firstIndex(of: ":") else { continue }
            let property = declaration[..<colon].trimmed.lowercased()
            let value = declaration[declaration.index(after: colon)...].trimmed.lowercased()
                .replacing("!important", with: "").trimmed
            take(property, value)
        }
        if hidden == nil, isOutside { hidden = .offScreen }
    }

    private var isOutside: Bool {
        if let offset, offset <= -500 { return true }
        guard clipsOverflow else { return false }
        return width.map { $0 <= 1 } ?? false || height.map { $0 <= 1 } ?? false
    }

    private mutating func take(_ property: String, _ value: String) {
        switch property {
        case "display": if value == "none" { hidden = .display }
        case "mso-hide": if value == "all" { hidden = hidden ?? .display }
        case "visibility": if value == "hidden" || value == "collapse" { hidden = hidden ?? .visibility }
        case "opacity": if let number = Double(value), number < 0.05 { hidden = hidden ?? .visibility }
        case "font-size": fontSize = Self.fontSize(value)
        case "color":
            if value == "transparent" { hidden = hidden ?? .visibility } else { colour = HTMLColour(value) }
        case "background-color": takeBackground(value)
        case "background", "background-image": takeBackground(value)
        case "width", "max-width": width = Self.length(value) ?? width
        case "height", "max-height": height = Self.length(value) ?? height
        case "overflow": clipsOverflow = value == "hidden"
        case "position": isPlaced = value == "absolute" || value == "fixed"
        case "left", "top", "right", "text-indent", "margin-left", "margin-top":
            if let length = Self.length(value) { offset = min(offset ?? 0, length) }
        case "clip":
            if value.hasPrefix("rect(0") || value.hasPrefix("rect(1px") { hidden = hidden ?? .offScreen }
        default: break
        }
    }

    private mutating func takeBackground(_ value: String) {
        if value.contains("url(") || value.contains("gradient") {
            background = .unknown
        } else if let colour = HTMLColour(value)
            ?? value.split(separator: " ").lazy.compactMap({ HTMLColour($0) }).first
        {
            background = .colour(colour)
        }
    }

    /// In pixels; `nil` for percentages and words.
    static func length(_ value: some StringProtocol) -> Double? {
        let text = value.trimmed.lowercased()
        let digits = text.prefix { $0.isNumber || $0 == "." || $0 == "-" || $0 == "+" }
        guard let number = Double(digits), number.isFinite else { return nil }
        switch text.dropFirst(digits.count) {
        case "", "px": return number
        case "pt": return number * 4 / 3
        case "em", "rem", "ex": return number * 16
        default: return number == 0 ? 0 : nil
        }
    }

    private static func fontSize(_ value: String) -> FontSize? {
        if value.hasSuffix("%"), let number = Double(value.dropLast()) { return .relative(number / 100) }
        if value.hasSuffix("em"), !value.hasSuffix("rem"), let number = Double(value.dropLast(2)) {
            return .relative(number)
        }
        switch value {
        case "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "initial":
            return .pixels(16)
        default: return length(value).map { .pixels($0) }
        }
    }
}
