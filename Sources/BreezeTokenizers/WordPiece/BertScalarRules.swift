/// How Hugging Face's `tokenizers` (0.22) sees a Unicode scalar.
///
/// Its category data is that of Unicode 8.0 and its normalisation data that of Unicode 9.0, so what was
/// assigned later has no category and no combining class there. That was found by comparing the two on every
/// scalar; the oracle tests repeat it on all that differ in kind. Case pairs follow the Unicode version of
/// the running Swift: with Unicode 17 that makes 28 letters of that release differ.
enum BertScalarRules {
    /// White space that separates words. The two agree on every scalar.
    static func isWhitespace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace
    }

    /// What `clean_text` drops.
    static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r": false
        case "\u{0}", "\u{FFFD}": true
        default:
            switch category(of: scalar) {
            case .control, .format, .privateUse, .surrogate: true
            default: false
            }
        }
    }

    /// What `strip_accents` drops.
    static func isNonspacingMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1734, 0x1171E: true  // marks in Unicode 8, spacing marks today
        case 0x1885, 0x1886, 0xA9BD, 0x111C9: false  // the reverse
        default: category(of: scalar) == .nonspacingMark
        }
    }

    /// What stands as a word of its own: every ASCII symbol, and the punctuation of all scripts.
    static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        case 0x166D, 0x111C9: true  // punctuation in Unicode 8
        default:
            switch category(of: scalar) {
            case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
                .initialPunctuation, .finalPunctuation, .otherPunctuation:
                true
            default: false
            }
        }
    }

    /// The blocks of Chinese characters, as the reference has them: its fifth extension block begins at
    /// U+2B920 where Unicode's begins at U+2B820, and models were trained with that.
    static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B920...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            true
        default: false
        }
    }

    /// The canonical combining class, 0 for what Unicode 9 does not know.
    static func combiningClass(of scalar: Unicode.Scalar) -> UInt8 {
        isAssigned(scalar, in: 9) ? scalar.properties.canonicalCombiningClass.rawValue : 0
    }

    /// Whether the scalar was assigned in Unicode `major`.0 or before.
    static func isAssigned(_ scalar: Unicode.Scalar, in major: Int) -> Bool {
        guard let age = scalar.properties.age else { return false }
        return age.major < major || (age.major == major && age.minor == 0)
    }

    private static func category(of scalar: Unicode.Scalar) -> Unicode.GeneralCategory {
        isAssigned(scalar, in: 8) ? scalar.properties.generalCategory : .unassigned
    }
}
