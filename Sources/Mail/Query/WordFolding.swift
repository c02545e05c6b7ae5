import Foundation

/// Words as FTS5's unicode61 tokenizer has them with `remove_diacritics 2`: runs of letters and digits,
/// folded.
enum WordFolding {
    /// Letters, numbers and private use; the diacritics that go with them are no words alone.
    static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return (48...57).contains(scalar.value) || (97...122).contains(scalar.value | 32)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        case .decimalNumber, .letterNumber, .otherNumber, .privateUse: return true
        default: return false
        }
    }

    /// Calls `body` with each word's place and its folded form.
    static func forEachWord(in scalars: [Unicode.Scalar], _ body: (Range<Int>, String) -> Void) {
        var at = 0
        while at < scalars.count {
            guard isWordScalar(scalars[at]) else {
                at += 1
                continue
            }
            let start = at
            while at < scalars.count, isWordScalar(scalars[at]) || isDiacritic(scalars[at]) { at += 1 }
            body(start..<at, folded(scalars[start..<at]))
        }
    }

    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        (0x300...0x331).contains(scalar.value)
    }

    private static func folded(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        let text = String(String.UnicodeScalarView(scalars))
        if scalars.allSatisfy(\.isASCII) { return text.lowercased() }
        let parts = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
            !isDiacritic($0)
        }
        return String(String.UnicodeScalarView(parts)).lowercased().precomposedStringWithCanonicalMapping
    }
}
