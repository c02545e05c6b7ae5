/// One scalar as the matchers see it.
struct Symbol: Sendable {
    /// ASCII, or one of ``Plain``.
    var plain: UInt8
    /// UTF-8 bytes from the start of the text.
    var start: Int
    var end: Int

    var isDigit: Bool { Plain.isDigit(plain) }
    var isAlphanumeric: Bool { Plain.isAlphanumeric(plain) }
}

/// What stands for scalars that are no ASCII, and what ASCII bytes are.
enum Plain {
    /// A letter that looks like none of ours.
    static let otherLetter: UInt8 = 0x80
    /// Nothing is seen of it: zero-width and bidi controls, variation selectors, combining marks.
    static let invisible: UInt8 = 0x81
    /// Punctuation, symbols, controls.
    static let other: UInt8 = 0x82
    /// From here on an index into ``Folding/expansions``.
    static let expansion: UInt8 = 0xA0

    static let space = UInt8(ascii: " ")
    static let newline = UInt8(ascii: "\n")

    static func isDigit(_ plain: UInt8) -> Bool { plain &- 0x30 < 10 }
    static func isLetter(_ plain: UInt8) -> Bool { (plain | 0x20) &- 0x61 < 26 }
    static func isAlphanumeric(_ plain: UInt8) -> Bool { isDigit(plain) || isLetter(plain) }
    static func isHex(_ plain: UInt8) -> Bool { isDigit(plain) || (plain | 0x20) &- 0x61 < 6 }
    /// ASCII letters in upper case, everything else as it is.
    static func uppercased(_ plain: UInt8) -> UInt8 { isLetter(plain) ? plain & 0xDF : plain }
}
