/// The sets of scalars that patterns name, from the running Swift's Unicode data, computed when first asked for.
enum UnicodeSets {
    static let whitespace = property { $0.isWhitespace }
    static let letter = union("L")
    static let mark = union("M")
    static let number = union("N")
    static let punctuation = union("P")
    static let symbol = union("S")
    static let digit = named("Nd") ?? .empty
    /// `\w` (UTS #18, annex C).
    static let word = alphabetic.union(mark).union(digit).union(named("Pc") ?? .empty)
        .union(ScalarSet([0x200C...0x200D]))
    /// Marks as the reference's normalisers know them, and what they do not know yet.
    static let oldMark = mark.intersection(assignedLater.inverted)
    static let assignedLater = property { scalar in
        guard let age = scalar.age else { return false }
        return age.major > 9
    }
    /// Punctuation as the reference's own pre-tokenizers have it, which is older than that of its patterns.
    static let oldPunctuation = ScalarSet(
        (punctuation.ranges + [0x21...0x7E, 0x166D...0x166D, 0x111C9...0x111C9]).joined()
            .compactMap(Unicode.Scalar.init).filter(BertScalarRules.isPunctuation).map { $0.value...$0.value }
    )
    private static let alphabetic = property { $0.isAlphabetic }

    /// Blocks of Han characters (Unicode's Scripts.txt), which the standard library does not tell.
    static let han = ScalarSet([
        0x2E80...0x2E99, 0x2E9B...0x2EF3, 0x2F00...0x2FD5, 0x3005...0x3005, 0x3007...0x3007,
        0x3021...0x3029, 0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFA6D,
        0xFA70...0xFAD9, 0x16FE2...0x16FE3, 0x16FF0...0x16FF6, 0x20000...0x2A6DF, 0x2A700...0x2B739,
        0x2B740...0x2B81D, 0x2B820...0x2CEAD, 0x2CEB0...0x2EBE0, 0x2EBF0...0x2EE5D, 0x2F800...0x2FA1D,
        0x30000...0x3134A, 0x31350...0x33479,
    ])

    /// The set that `\p{name}` stands for; `nil` for a name that is not known.
    static func named(_ name: String) -> ScalarSet? {
        switch name {
        case "Letter": return letter
        case "Mark": return mark
        case "Number": return number
        case "Punctuation", "Punct": return punctuation
        case "BertPunctuation": return oldPunctuation
        case "Symbol": return symbol
        case "Han", "Script=Han", "sc=Han": return han
        case "Alphabetic", "Alpha": return alphabetic
        case "White_Space", "Space", "space": return whitespace
        default: break
        }
        if let category = byCategory[name] { return category }
        return name.count == 1 && "LMNPSZC".contains(name) ? union(name) : nil
    }

    private static func union(_ major: String) -> ScalarSet {
        ScalarSet(byCategory.filter { $0.key.hasPrefix(major) }.flatMap(\.value.ranges))
    }

    private static let byCategory: [String: ScalarSet] = {
        var runs: [String: [ClosedRange<UInt32>]] = [:]
        var start: UInt32 = 0
        var current = Unicode.GeneralCategory.control
        func close(before value: UInt32) {
            if value > start { runs[code(of: current), default: []].append(start...value - 1) }
            start = value
        }
        for value in distinctScalars {
            let category = Unicode.Scalar(value)?.properties.generalCategory ?? .surrogate
            if category != current || value == uniform.upperBound + 1 {
                close(before: value)
                current = category
            }
            if value == uniform.lowerBound - 1 {
                close(before: value + 1)
                runs["Cn", default: []].append(uniform)
                start = uniform.upperBound + 1
            }
        }
        close(before: 0x110000)
        return runs.mapValues(ScalarSet.init)
    }()

    /// Planes in which nothing is assigned.
    private static let uniform: ClosedRange<UInt32> = 0x40000...0xDFFFF
    private static let distinctScalars = [0..<uniform.lowerBound, uniform.upperBound + 1..<0x110000].joined()

    private static func property(_ holds: (Unicode.Scalar.Properties) -> Bool) -> ScalarSet {
        var ranges: [ClosedRange<UInt32>] = []
        var start: UInt32?
        for value in 0..<uniform.lowerBound {
            let isIn = Unicode.Scalar(value).map { holds($0.properties) } ?? false
            if isIn, start == nil { start = value }
            if !isIn, let first = start {
                ranges.append(first...value - 1)
                start = nil
            }
        }
        return ScalarSet(ranges)
    }

    private static func code(of category: Unicode.GeneralCategory) -> String {
        switch category {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}
