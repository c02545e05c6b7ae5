import Foundation

/// How a word looks to somebody who reads in haste.
enum LookAlike {
    /// Words that look alike fold to the same one: case, `0` and `o`, `1`, `i` and `l`, `3` and `e`, `5` and `s`,
    /// `rn` and `m`, `vv` and `w`. `word` is ASCII.
    static func fold(_ word: some StringProtocol) -> String {
        var folded: [UInt8] = []
        folded.reserveCapacity(word.utf8.count)
        for byte in word.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z") where byte != UInt8(ascii: "I"):
                append(byte | 0x20, &folded)
            case UInt8(ascii: "0"): append(UInt8(ascii: "o"), &folded)
            case UInt8(ascii: "1"), UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "|"):
                append(UInt8(ascii: "l"), &folded)
            case UInt8(ascii: "3"): append(UInt8(ascii: "e"), &folded)
            case UInt8(ascii: "5"), UInt8(ascii: "$"): append(UInt8(ascii: "s"), &folded)
            default: append(byte, &folded)
            }
        }
        return String(decoding: folded, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, _ folded: inout [UInt8]) {
        switch (folded.last, byte) {
        case (UInt8(ascii: "r"), UInt8(ascii: "n")): folded[folded.count - 1] = UInt8(ascii: "m")
        case (UInt8(ascii: "v"), UInt8(ascii: "v")): folded[folded.count - 1] = UInt8(ascii: "w")
        default: folded.append(byte)
        }
    }

    /// What ``fold(_:)`` makes of a word that may be of other letters: a capital and its small letter need not look
    /// like the same Latin one, so both are asked.
    static func folds(_ word: String, _ domains: any DomainKnowledge) -> [String] {
        if word.isASCII { return [fold(word)] }
        var folds: [String] = []
        for form in [word.lowercased(), word] {
            let folded = fold(plain(domains.skeleton(of: plain(form))).lowercased())
            if !folds.contains(folded) { folds.append(folded) }
        }
        return folds
    }

    /// Without accents and what nobody sees, and with the plain forms of wide, bold and circled letters.
    static func plain(_ text: String) -> String {
        if text.isASCII { return text }
        var kept = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .format, .enclosingMark: break
            // Not of signs: `™` is no word.
            case _ where scalar.value >= 0x80 && scalar.properties.isAlphabetic:
                kept.append(
                    contentsOf: String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars
                )
            default: kept.append(scalar)
            }
        }
        return String(kept)
    }

    /// Whether one letter more, less, other, or two swapped make one word of the other.
    static func isOneEdit(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        guard long.count - short.count <= 1, short != long else { return false }
        var at = 0
        while at < short.count, short[at] == long[at] { at += 1 }
        if short.count < long.count { return short[at...].elementsEqual(long[(at + 1)...]) }
        if short[(at + 1)...].elementsEqual(long[(at + 1)...]) { return true }
        return at + 1 < short.count && short[at] == long[at + 1] && short[at + 1] == long[at]
            && short[(at + 2)...].elementsEqual(long[(at + 2)...])
    }
}

extension StringProtocol {
    var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}
