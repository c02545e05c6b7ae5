/// Leaves out of a text what nobody sees, and shortens what goes on without end.
struct TextCleaner {
    private(set) var kept: [Unicode.Scalar] = []
    private(set) var dropped = 0
    /// Marks on the letter so far.
    private var marks = 0

    /// No script puts more on one letter.
    private static let mostMarks = 8
    private static let longestRun = 40

    mutating func read(_ text: String) {
        kept.reserveCapacity(text.utf8.count)
        var last: Unicode.Scalar = "\n"
        for scalar in text.unicodeScalars {
            defer { last = scalar }
            switch scalar.value {
            case 0x0A where last == "\r": break
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029: add("\n")
            case 0x09, 0x20...0x7E: add(scalar)
            case ..<0x20, 0x7F..<0xA0: dropped += 1
            case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0100...0xE01EF, 0x180B...0x180D, 0x180F:
                if isNeeded(scalar) { add(scalar) } else { dropped += 1 }
            default:
                if FoldedText.isUnseen(scalar) { dropped += 1 } else { add(scalar) }
            }
        }
    }

    private mutating func add(_ scalar: Unicode.Scalar) {
        if scalar.value >= 0x300, FoldedText.isMark(scalar) {
            marks += 1
            if marks > Self.mostMarks { return }
        } else {
            marks = 0
        }
        kept.append(scalar)
    }

    /// Joiners and selectors that change how the character before them is read or drawn: one after each.
    private func isNeeded(_ scalar: Unicode.Scalar) -> Bool {
        guard let base = kept.last else { return false }
        switch scalar.value {
        case 0x200C: return Self.isJoined(base)
        case 0x200D: return Self.isJoined(base) || Self.isPicture(base) || base.value == 0xFE0F
        case 0x180B...0x180F: return (0x1800...0x18AF).contains(base.value)
        case 0xE0100...0xE01EF, 0xFE00...0xFE02: return Self.isIdeograph(base)
        case 0xFE0E, 0xFE0F: return Self.isPicture(base) || (0x23...0x39).contains(base.value)
        default: return false
        }
    }

    /// Of Arabic, Syriac, N'Ko, the scripts of India and of Southeast Asia, Mongolian.
    private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
        (0x0620...0x0DFF).contains(scalar.value) || (0x1000...0x109F).contains(scalar.value)
            || (0x1780...0x18AF).contains(scalar.value) || (0x1B00...0x1BFF).contains(scalar.value)
            || (0xFB50...0xFDFF).contains(scalar.value) || (0x11000...0x11FFF).contains(scalar.value)
    }

    private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0xA0 && (scalar.properties.isEmoji || scalar.properties.isEmojiModifier)
    }

    private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isIdeographic }

    /// One blank line where there were several, and at most 40 of one character in a row.
    static func shortened(_ scalars: [Unicode.Scalar]) -> String {
        var result = String.UnicodeScalarView()
        var at = 0
        while at < scalars.count {
            if scalars[at] == "\n" {
                let (end, count) = blank(scalars, at)
                if count > 2 {
                    result.append(contentsOf: "\n\n".unicodeScalars)
                    at = end
                    continue
                }
            }
            var end = at + 1
            while end < scalars.count, scalars[end] == scalars[at], scalars[at] != "\n" { end += 1 }
            for _ in 0..<min(end - at, longestRun) { result.append(scalars[at]) }
            at = end
        }
        return String(result)
    }

    /// Up to the last line break of those with nothing but space between them, and how many there are.
    private static func blank(_ scalars: [Unicode.Scalar], _ start: Int) -> (end: Int, count: Int) {
        var (end, count) = (start, 0)
        var at = start
        while at < scalars.count, scalars[at].properties.isWhitespace {
            if scalars[at] == "\n" { (end, count) = (at + 1, count + 1) }
            at += 1
        }
        return (end, count)
    }
}
