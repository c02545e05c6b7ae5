/// A colour as HTML and CSS write it, as far as hidden text needs it.
struct HTMLColour: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    static let white = HTMLColour(red: 255, green: 255, blue: 255)
    static let black = HTMLColour(red: 0, green: 0, blue: 0)

    private static let named: [String: HTMLColour] = [
        "white": white, "black": black, "red": HTMLColour(red: 255, green: 0, blue: 0),
        "gray": HTMLColour(red: 128, green: 128, blue: 128),
        "grey": HTMLColour(red: 128, green: 128, blue: 128),
        "silver": HTMLColour(red: 192, green: 192, blue: 192),
        "blue": HTMLColour(red: 0, green: 0, blue: 255),
        "yellow": HTMLColour(red: 255, green: 255, blue: 0), "green": HTMLColour(red: 0, green: 128, blue: 0),
        "lime": HTMLColour(red: 0, green: 255, blue: 0), "navy": HTMLColour(red: 0, green: 0, blue: 128),
        "whitesmoke": HTMLColour(red: 245, green: 245, blue: 245),
        "snow": HTMLColour(red: 255, green: 250, blue: 250),
        "ivory": HTMLColour(red: 255, green: 255, blue: 240),
        "ghostwhite": HTMLColour(red: 248, green: 248, blue: 255),
    ]

    init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// `#rgb`, `#rrggbb`, the same without `#` (old attributes), `rgb(…)` and a few names; `nil` for the rest.
    init?(_ text: some StringProtocol) {
        let word = text.trimmed.lowercased()
        if let known = Self.named[word] {
            self = known
            return
        }
        if word.hasPrefix("rgb"), let open = word.firstIndex(of: "("), let close = word.firstIndex(of: ")") {
            let parts = word[word.index(after: open)..<close].split { $0 == "," || $0 == " " || $0 == "/" }
            let numbers = parts.prefix(3).compactMap { Self.channel($0) }
            guard numbers.count == 3 else { return nil }
            self.init(red: numbers[0], green: numbers[1], blue: numbers[2])
            return
        }
        let digits = word.hasPrefix("#") ? word.dropFirst() : Substring(word)
        guard digits.utf8.count == 3 || digits.utf8.count == 6, let value = Int(digits, radix: 16) else {
            return nil
        }
        if digits.utf8.count == 3 {
            self.init(red: (value >> 8) * 17, green: (value >> 4 & 15) * 17, blue: (value & 15) * 17)
        } else {
            self.init(red: value >> 16, green: value >> 8 & 255, blue: value & 255)
        }
    }

    private static func channel(_ text: Substring) -> Int? {
        let value = text.hasSuffix("%") ? Double(text.dropLast()).map { $0 * 2.55 } : Double(text)
        guard let value, value.isFinite else { return nil }
        return Int(min(max(value, 0), 255))
    }

    /// Whether a reader can hardly tell them apart.
    func looksLike(_ other: HTMLColour) -> Bool {
        abs(red - other.red) + abs(green - other.green) + abs(blue - other.blue) <= 12
    }
}
