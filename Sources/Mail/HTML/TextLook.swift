/// What of an element's look decides whether its text can be seen; what is inside of it begins with the same.
struct TextLook {
    var hidden: HiddenText?
    var fontSize = 16.0
    var colour: HTMLColour?
    var background: HTMLColour? = .white

    /// `name` is the element's.
    mutating func take(_ name: String, _ attributes: [(name: String, value: String)]) {
        for (attribute, value) in attributes {
            switch attribute {
            case "style": take(InlineStyle(value))
            case "hidden": hidden = hidden ?? .attribute
            case "aria-hidden": if value.lowercased() == "true" { hidden = hidden ?? .ariaHidden }
            case "color" where name == "font": colour = HTMLColour(value) ?? colour
            case "text" where name == "body": colour = HTMLColour(value) ?? colour
            case "bgcolor": if let known = HTMLColour(value) { background = known }
            case "background": background = nil
            default: break
            }
        }
    }

    private mutating func take(_ style: InlineStyle) {
        hidden = hidden ?? style.hidden
        switch style.fontSize {
        case .pixels(let size): fontSize = size
        case .relative(let factor): fontSize *= factor
        case nil: break
        }
        if let known = style.colour { colour = known }
        switch style.background {
        case .colour(let known): background = known
        case .unknown: background = nil
        case nil: break
        }
    }

    /// How its text is hidden; `nil` where it can be seen.
    var hiding: HiddenText? {
        if let hidden { return hidden }
        if fontSize < 0.5 { return .zeroFont }
        if fontSize < 4 { return .tinyFont }
        if let colour, let background, colour.looksLike(background) { return .sameColour }
        return nil
    }
}
