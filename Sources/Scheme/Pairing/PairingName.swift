import BreezeCore

/// What a stranger calls itself, beside our own words.
enum PairingName {
    /// - Throws: ``BreezeError`` `.invalidRequest` for what is empty, too long, not seen, or changes how its neighbours
    ///   are seen.
    static func check(_ name: String) throws(BreezeError) {
        let scalars = name.unicodeScalars
        guard (1...64).contains(scalars.count) else {
            throw SchemeFault.request("the name does not have 1 to 64 characters")
        }
        guard scalars.first != " ", scalars.last != " " else {
            throw SchemeFault.request("a blank stands at an end of the name")
        }
        var marks = 0
        for scalar in scalars {
            guard isSeen(scalar) else {
                let number = String(scalar.value, radix: 16, uppercase: true)
                throw SchemeFault.request("the name holds a character that is not seen (U+\(number))")
            }
            marks = isMark(scalar) ? marks + 1 : 0
            guard marks <= 4 else { throw SchemeFault.request("the name piles up accents") }
        }
    }

    /// Not seen, though their categories are those of letters and marks. FE0E and FE0F, how an emoji asks for its
    /// colours, are not among them.
    private static let unseen: [ClosedRange<UInt32>] = [
        0x034F...0x034F, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x3164...0x3164, 0xFE00...0xFE0D,
        0xFFA0...0xFFA0, 0xE0100...0xE01EF,
    ]

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            false
        case .spaceSeparator: scalar == " "
        default: !unseen.contains { $0.contains(scalar.value) }
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: scalar.value != 0xFE0E && scalar.value != 0xFE0F
        default: false
        }
    }
}
