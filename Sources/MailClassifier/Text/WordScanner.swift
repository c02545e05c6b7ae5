import Foundation

/// Cuts a text into words, each in lower case and in one way of writing it.
struct WordScanner {
    private let scalars: [Unicode.Scalar]
    private var at = 0
    private var found: [[UInt8]] = []

    /// Of one word in bytes; what is longer is no word, and its beginning tells that as well.
    private static let longestWord = 24
    private static let link: [UInt8] = Array("<link>".utf8)
    private static let address: [UInt8] = Array("<address>".utf8)
    private static let number: [UInt8] = Array("<number>".utf8)
    /// As a typewriter writes what typesetters tell apart.
    private static let plainMarks: [UInt32: Unicode.Scalar] = [
        0x2018: "'", 0x2019: "'", 0x201A: "'", 0x201C: "\"", 0x201D: "\"", 0x201E: "\"", 0xAB: "\"",
        0xBB: "\"", 0x2010: "-", 0x2011: "-", 0x2012: "-", 0x2013: "-", 0x2014: "-", 0x2015: "-",
        0x2212: "-",
    ]

    /// `limit` is in bytes of UTF-8.
    init(_ text: String, limit: Int) {
        let bytes = text.utf8.prefix(limit)
        // What looks like a letter is one: full width, mathematical, ligatures.
        let cut = String(decoding: bytes, as: UTF8.self)
        let plain = bytes.allSatisfy { $0 < 128 } ? cut : cut.precomposedStringWithCompatibilityMapping
        scalars = Array(plain.unicodeScalars)
    }

    mutating func words() -> [[UInt8]] {
        while at < scalars.count {
            let scalar = scalars[at]
            switch Kind(scalar) {
            case .letter: takeWord()
            case .digit: takeNumber()
            case .ideograph:
                found.append(Array(String(scalar).utf8))
                at += 1
            case .mark:
                found.append(Array(String(Self.plainMarks[scalar.value] ?? scalar).utf8))
                at += 1
            case .space, .invisible: at += 1
            }
        }
        return found
    }

    // MARK: - Words

    private mutating func takeWord() {
        let start = at
        var end = at
        while end < scalars.count, [.letter, .digit, .invisible].contains(Kind(scalars[end])) { end += 1 }
        if isLink(upTo: end) { return takeUntilSpace(Self.link) }
        if isAddress(from: end) { return takeUntilSpace(Self.address) }
        at = end
        var word: [UInt8] = []
        for scalar in scalars[start..<end] where Kind(scalar) != .invisible {
            if scalar.isASCII {
                word.append(UInt8(scalar.value) | (Kind(scalar) == .letter ? 0x20 : 0))
            } else {
                word += scalar.properties.lowercaseMapping.utf8
            }
            if word.count >= Self.longestWord { break }
        }
        if !word.isEmpty { found.append(word) }
    }

    /// `https://…` and `www.…`
    private func isLink(upTo end: Int) -> Bool {
        let word = String(String.UnicodeScalarView(scalars[at..<min(end, at + 6)])).lowercased()
        if word == "www" { return end < scalars.count && scalars[end] == "." }
        return ["http", "https", "ftp"].contains(word) && end + 2 < scalars.count && scalars[end] == ":"
            && scalars[end + 1] == "/" && scalars[end + 2] == "/"
    }

    /// `name@host`, with dots and hyphens within the name.
    private func isAddress(from end: Int) -> Bool {
        var end = end
        while end < scalars.count, end - at < 64 {
            let scalar = scalars[end]
            if scalar == "@" {
                return end + 1 < scalars.count && [.letter, .digit].contains(Kind(scalars[end + 1]))
            }
            guard [".", "-", "_", "+"].contains(scalar) || [.letter, .digit].contains(Kind(scalar)) else {
                return false
            }
            end += 1
        }
        return false
    }

    private mutating func takeUntilSpace(_ word: [UInt8]) {
        while at < scalars.count, !scalars[at].properties.isWhitespace,
            !["<", ">", "\"", ")"].contains(scalars[at])
        {
            at += 1
        }
        found.append(word)
    }

    private mutating func takeNumber() {
        while at < scalars.count, Kind(scalars[at]) == .digit { at += 1 }
        found.append(Self.number)
    }

    // MARK: - Characters

    private enum Kind {
        case letter, digit, ideograph, space
        /// Each is a word of its own: how a text is punctuated tells as much as many of its words.
        case mark
        /// Within a word it is not there: soft hyphens, joiners, marks of direction, variants of emoji.
        case invisible

        init(_ scalar: Unicode.Scalar) {
            if scalar.isASCII {
                switch scalar {
                case "a"..."z", "A"..."Z": self = .letter
                case "0"..."9": self = .digit
                case "_": self = .space
                default: self = scalar.value > 0x20 && scalar.value < 0x7F ? .mark : .space
                }
                return
            }
            switch scalar.value {
            // Thai, Lao, Burmese and Khmer write no spaces either.
            case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF,
                0xF900...0xFAFF, 0x20000...0x3FFFF:
                self = .ideograph
            case 0xAD, 0x034F, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2064, 0xFE00...0xFE0F, 0xFEFF,
                0xE0000...0xE01EF:
                self = .invisible
            default:
                let properties = scalar.properties
                if properties.isAlphabetic {
                    self = .letter
                } else if properties.generalCategory == .nonspacingMark {
                    // Part of the letter before it.
                    self = .letter
                } else if properties.numericType == .decimal {
                    self = .digit
                } else {
                    self = properties.isWhitespace || properties.generalCategory == .control ? .space : .mark
                }
            }
        }
    }
}
