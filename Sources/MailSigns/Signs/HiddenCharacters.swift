/// Characters that turn text around or cannot be seen, where no language needs them.
enum HiddenCharacters: String {
    /// U+202D, U+202E: letters in another order than they are read in.
    case override = "a mark that turns text around"
    /// U+202A, U+202B, U+2066 to U+2068 in text of one direction.
    case embedding = "a mark of direction"
    /// Between Latin letters, which look whole and are not.
    case invisible = "an invisible character within a word"

    private static let longest = 2_000

    /// The worst in a text; `nil` where there is none.
    static func trick(in text: String) -> Self? {
        var hasEmbedding = false
        var hasInvisible = false
        var isRightToLeft = false
        var last: Unicode.Scalar = " "
        var pending = false
        for scalar in text.unicodeScalars.prefix(longest) {
            switch scalar.value {
            case 0x202D, 0x202E: return .override
            case 0x202A, 0x202B, 0x2066...0x2068: hasEmbedding = true
            case 0x200B...0x200D, 0x2060, 0xFEFF, 0x00AD, 0x180E, 0x2061...0x2064: pending = isLatin(last)
            default:
                if pending, isLatin(scalar) { hasInvisible = true }
                pending = false
                // Hebrew, Arabic and their neighbours.
                if (0x0590...0x08FF).contains(scalar.value) || (0xFB1D...0xFEFC).contains(scalar.value) {
                    isRightToLeft = true
                }
                last = scalar
            }
        }
        if hasEmbedding, !isRightToLeft { return .embedding }
        return hasInvisible ? .invisible : nil
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic && (scalar.value < 0x250 || (0x1E00...0x1EFF).contains(scalar.value))
    }
}
