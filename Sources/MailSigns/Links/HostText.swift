import Foundation

/// Makes of a host as it is written the one that is asked for.
enum HostText {
    /// `nil` where no name has such characters.
    static func host(_ written: ArraySlice<UInt8>) -> String? {
        let bytes = written.contains(UInt8(ascii: "%")) ? decoded(written)[...] : written
        var host = ""
        if bytes.allSatisfy({ $0 < 0x80 }) {
            host = String(decoding: bytes.map { ByteText.isCapital($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        } else {
            host = mapped(String(decoding: bytes, as: UTF8.self))
        }
        while host.utf8.last == UInt8(ascii: ".") { host.removeLast() }
        if host.isEmpty || host.utf8.contains(where: isForbidden) { return nil }
        // Brackets are for addresses alone.
        let hasBracket = host.utf8.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
        return hasBracket && NumericHost(host) == nil ? nil : host
    }

    /// As UTS 46 maps it: full-width forms and other dots are the plain ones, and what nobody sees is not there.
    private static func mapped(_ host: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in host.precomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar {
            case "\u{3002}", "\u{FF0E}", "\u{FF61}": kept.append(".")
            default:
                let isSeen = scalar.properties.generalCategory != .format
                if isSeen, !scalar.properties.isDefaultIgnorableCodePoint { kept.append(scalar) }
            }
        }
        return String(kept).lowercased()
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.endIndex,
                let high = Hexadecimal.value(bytes[at + 1]), let low = Hexadecimal.value(bytes[at + 2])
            {
                result.append(high << 4 | low)
                at += 3
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return result
    }

    /// The URL standard's forbidden host code points, less those of an address in brackets.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        switch byte {
        case ...32, 0x7F: true
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "%"),
            UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "@"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "|"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"):
            true
        default: false
        }
    }
}

enum ByteText {
    static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z")
    }

    static func isCapital(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    /// `word` in lower case; letters are compared without regard to case.
    static func starts(_ bytes: some RandomAccessCollection<UInt8>, _ at: Int, with word: StaticString)
        -> Bool
    {
        guard bytes.count - at >= word.utf8CodeUnitCount else { return false }
        var index = bytes.index(bytes.startIndex, offsetBy: at)
        for place in 0..<word.utf8CodeUnitCount {
            let wanted = word.utf8Start[place]
            let byte = bytes[index]
            if (isCapital(byte) ? byte | 0x20 : byte) != wanted { return false }
            index = bytes.index(after: index)
        }
        return true
    }

    /// How many bytes the space or invisible character at `at` has; `nil` for any other, and for ASCII.
    static func invisible(_ bytes: [UInt8], _ at: Int) -> Int? {
        guard bytes.count - at >= 2 else { return nil }
        switch (bytes[at], bytes[at + 1], bytes.count - at > 2 ? bytes[at + 2] : 0) {
        // U+00A0, U+00AD
        case (0xC2, 0xA0, _), (0xC2, 0xAD, _): return 2
        // U+2000 to U+200F, U+2028 to U+202F, U+2060 to U+206F, U+3000, U+FEFF
        case (0xE2, 0x80, 0x80...0x8F), (0xE2, 0x80, 0xA8...0xAF), (0xE2, 0x81, 0xA0...0xAF),
            (0xE3, 0x80, 0x80), (0xEF, 0xBB, 0xBF):
            return 3
        default: return nil
        }
    }
}
