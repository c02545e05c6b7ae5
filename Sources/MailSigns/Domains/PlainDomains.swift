import Foundation

/// Host names known by rules of thumb, for builds without a public suffix list and ICU.
///
/// A domain of a country has a second level where that is one of the common ones (`co.uk`, `com.au`); look-alikes are
/// the Cyrillic, Greek, full-width and mathematical forms of Latin letters.
public struct PlainDomains: DomainKnowledge {
    private static let secondLevels: Set<Substring> = [
        "co", "com", "net", "org", "gov", "ac", "edu", "or", "ne",
    ]

    public init() {}

    public func registrableDomain(of host: String) -> String? {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let top = labels.last, !labels.contains(where: \.isEmpty) else { return nil }
        let isSecondLevel = top.utf8.count == 2 && Self.secondLevels.contains(labels[labels.count - 2])
        let count = isSecondLevel ? 3 : 2
        return labels.count < count ? nil : labels.suffix(count).joined(separator: ".")
    }

    public func unicodeHost(_ host: String) -> String {
        guard host.contains("xn--") else { return host }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false).map { label in
            guard label.hasPrefix("xn--") else { return String(label) }
            let decoded = Punycode.decode(label.dropFirst(4))
            return decoded.flatMap { $0.unicodeScalars.allSatisfy(Self.isOfName) ? $0 : nil } ?? String(label)
        }
        return labels.joined(separator: ".")
    }

    /// Letters, marks, numbers and pictures.
    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
            .paragraphSeparator, .openPunctuation, .closePunctuation, .otherPunctuation:
            false
        default: true
        }
    }

    public func skeleton(of text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            result.append(LatinLook.letter(scalar) ?? scalar)
        }
        return String(result)
    }
}

/// Letters of other alphabets that look like Latin ones.
private enum LatinLook {
    static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case ..<0x80: nil
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
        case 0x1D400...0x1D6A3: mathematical(scalar.value)
        case 0x1D7CE...0x1D7FF: Unicode.Scalar(0x30 + (scalar.value - 0x1D7CE) % 10)
        default: table[scalar]
        }
    }

    /// The mathematical alphabets have 26 capitals and 26 small letters each.
    private static func mathematical(_ value: UInt32) -> Unicode.Scalar? {
        let place = (value - 0x1D400) % 52
        return Unicode.Scalar(place < 26 ? 0x41 + place : 0x61 + place - 26)
    }

    private static let table: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs: [(others: String, latin: String)] = [
            // Cyrillic
            ("авеѕіјорсухԛԝһԁӏкгпмнт", "abesijopcyxqwhdlkrnmht"),
            ("АВЕЅІЈОРСУХԚԜКМНТ", "ABESIJOPCYXQWKMHT"),
            // Greek
            ("ανορυικτχεγϲ", "avopuiktxeyc"),
            ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
            // Latin letters that are not the plain ones
            ("ɑɡıʟᴏɩⅼøłđħŧ", "agiloiloldht"),
            // Armenian
            ("օսհոզ", "ouhnq"),
        ]
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (others, latin) in pairs {
            for (other, letter) in zip(others.unicodeScalars, latin.unicodeScalars) { table[other] = letter }
        }
        return table
    }()
}
