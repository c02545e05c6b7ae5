/// Reads every scalar as the ASCII character that a person, or a language model, takes it for: compatibility
/// forms (full-width, mathematical, enclosed, superscript), letters with marks, letters of other scripts that
/// look the same, digits of any script, tag characters, every space and dash. Case is kept.
///
/// What is encoded stays encoded: HTML entities, percent escapes, base64. Text that runs backwards under a bidi
/// override is read in its stored order.
struct Folding: Sendable {
    /// Indexed by byte.
    let ascii: [UInt8]
    /// What a ligature is read as.
    let expansions: [[UInt8]]
    /// Which block of 256 in ``values``, by the scalar's value over 256.
    private let blocks: [UInt8]
    private let values: [UInt8]

    init() {
        var table = Table()
        table.setASCII()
        table.setCategories()
        table.setLookAlikes(LookAlikes.homoglyphs)
        table.setLookAlikes(LookAlikes.decompositions)
        table.setForms()
        ascii = Array(table.values[..<128])
        expansions = table.expansions
        blocks = table.blocks
        values = table.values
    }

    var byteCount: Int { ascii.count + blocks.count + values.count + expansions.count * 40 }

    /// `scalar` is at most 0x10FFFF.
    func plain(_ scalar: UInt32) -> UInt8 {
        values[Int(blocks[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)]
    }
}

/// A folding while it is made.
private struct Table {
    private static let letters: UInt8 = 1
    private static let symbols: UInt8 = 2

    /// Block 0 is ASCII and Latin-1, 1 is a block of letters and 2 one of symbols, which many places share.
    var values: [UInt8]
    var blocks: [UInt8]
    var expansions: [[UInt8]] = []
    /// Ligatures of the same letters share one.
    private var expansionCodes: [String: UInt8] = [:]

    init() {
        values = Array(repeating: Plain.other, count: 256)
        values += Array(repeating: Plain.otherLetter, count: 256)
        values += Array(repeating: Plain.other, count: 256)
        blocks = Array(repeating: Self.letters, count: 0x1100)
        blocks[0] = 0
        // Private use, and what comes after the ideographs.
        for block in Array(0xE0...0xF8) + Array(0x1F0...0x1FF) + Array(0xE00...0x10FF) {
            blocks[block] = Self.symbols
        }
    }

    private mutating func set(_ scalar: Int, _ plain: UInt8) {
        let block = scalar >> 8
        if block != 0, blocks[block] <= Self.symbols {
            let shared = Int(blocks[block]) << 8
            blocks[block] = UInt8(values.count >> 8)
            values += values[shared..<shared + 256]
        }
        values[Int(blocks[block]) << 8 | scalar & 0xFF] = plain
    }

    mutating func setASCII() {
        for byte in 0x20..<0x7F { values[byte] = UInt8(byte) }
        for (byte, plain) in [(0x09, Plain.space), (0x0A, Plain.newline), (0x0D, Plain.invisible)] {
            values[byte] = plain
        }
        for byte in [0x0B, 0x0C, 0x85] { values[byte] = Plain.newline }
    }

    /// Scripts whose letters have no ASCII look-alikes and no marks of their own are left out: they are blocks
    /// of letters as they stand.
    mutating func setCategories() {
        let ranges = [0x86..<0x3400, 0xA000..<0xAC00, 0xF900..<0x1_0000, 0x1_BC00..<0x1_BD00]
        for range in ranges + [0x1_D000..<0x1_D200] {
            for value in range {
                guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
                set(value, Self.plain(scalar))
            }
        }
        // Tag characters are ASCII that no font shows: a text within the text.
        for value in 0xE_0000..<0xE_1000 {
            let byte = UInt8(truncatingIfNeeded: value)
            set(value, (0xE_0020..<0xE_007F).contains(value) ? byte : Plain.invisible)
        }
        for value in [0x2024, 0x3002] { set(value, UInt8(ascii: ".")) }
        set(0x2212, UInt8(ascii: "-"))
    }

    private static func plain(_ scalar: Unicode.Scalar) -> UInt8 {
        let properties = scalar.properties
        if properties.isDefaultIgnorableCodePoint { return Plain.invisible }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return Plain.invisible
        case .spaceSeparator: return Plain.space
        case .lineSeparator, .paragraphSeparator: return Plain.newline
        case .dashPunctuation: return UInt8(ascii: "-")
        case .decimalNumber: return 0x30 + UInt8(properties.numericValue ?? 0)
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .spacingMark:
            return Plain.otherLetter
        default: return Plain.other
        }
    }

    mutating func setLookAlikes(_ list: [(letters: String, scalars: String)]) {
        for (letters, scalars) in list {
            let bytes = Array(letters.utf8)
            let plain = bytes.count == 1 ? bytes[0] : expansion(letters, bytes)
            for scalar in scalars.unicodeScalars { set(Int(scalar.value), plain) }
        }
    }

    private mutating func expansion(_ letters: String, _ bytes: [UInt8]) -> UInt8 {
        if let code = expansionCodes[letters] { return code }
        let code = Plain.expansion + UInt8(expansions.count)
        expansions.append(bytes)
        expansionCodes[letters] = code
        return code
    }

    /// Alphabets that stand in ASCII's order.
    mutating func setForms() {
        for offset in 0..<94 { set(0xFF01 + offset, UInt8(0x21 + offset)) }
        // Thirteen styles of A…Za…z, the holes of which are in the table of decompositions; five of 0…9.
        for offset in 0..<13 * 52 {
            let letter = offset % 52
            set(0x1_D400 + offset, UInt8(letter < 26 ? 0x41 + letter : 0x61 + letter - 26))
        }
        for offset in 0..<50 { set(0x1_D7CE + offset, UInt8(0x30 + offset % 10)) }
        // Circled, in parentheses, squared, on black, as regional indicators.
        for first in [0x24B6, 0x1_F110, 0x1_F130, 0x1_F150, 0x1_F170, 0x1_F1E6] {
            for offset in 0..<26 { set(first + offset, UInt8(0x41 + offset)) }
        }
        for first in [0x249C, 0x24D0] {
            for offset in 0..<26 { set(first + offset, UInt8(0x61 + offset)) }
        }
        for (first, digit) in [(0x2460, 1), (0x2074, 4), (0x2080, 0)] {
            for offset in 0..<(first == 0x2074 ? 6 : first == 0x2460 ? 9 : 10) {
                set(first + offset, UInt8(0x30 + digit + offset))
            }
        }
        for (value, digit) in [(0x2070, 0), (0xB9, 1), (0xB2, 2), (0xB3, 3)] {
            set(value, UInt8(0x30 + digit))
        }
        set(0xFE6B, UInt8(ascii: "@"))
        set(0xA0, Plain.space)
        set(0xAD, Plain.invisible)
    }
}
