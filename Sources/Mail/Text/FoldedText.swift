import Foundation

/// A text as a model may take it, whatever it looks like: compatibility forms are the plain ones, letters of other
/// alphabets that look Latin are the Latin ones, case and accents are gone, and what nobody sees is left out. Text that
/// is smuggled in tag characters (U+E0020 to U+E007E) is there as the ASCII that it stands for.
package struct FoldedText {
    /// As they are written.
    package let original: [Unicode.Scalar]
    private(set) var scalars: [UInt32] = []
    /// Of each folded scalar the place of what it was made of.
    private(set) var places: [Int32] = []
    /// Tag characters that belong to no flag.
    private(set) var smuggled = 0

    package init(_ text: String) {
        self.init(Array(text.unicodeScalars))
    }

    init(_ original: [Unicode.Scalar]) {
        self.original = original
        scalars.reserveCapacity(original.count)
        places.reserveCapacity(original.count)
        var known: [UInt32: [UInt32]] = [:]
        var isFlag = false
        for (place, scalar) in original.enumerated() {
            let value = scalar.value
            if value < 0x80 {
                let isCapital = value >= 0x41 && value <= 0x5A
                append(isCapital ? value | 0x20 : value, place)
                isFlag = false
            } else if Self.isPlainIdeograph(value) {
                append(value, place)
                isFlag = false
            } else if (0xE0000...0xE007F).contains(value) {
                guard !isFlag, (0xE0020...0xE007E).contains(value) else { continue }
                // What is smuggled is no part of the word before it.
                if place == 0 || !(0xE0000...0xE007F).contains(original[place - 1].value) {
                    append(0x20, place)
                }
                smuggled += 1
                let letter = value - 0xE0000
                append((0x41...0x5A).contains(letter) ? letter | 0x20 : letter, place)
            } else {
                isFlag = value == 0x1F3F4
                let folded = known[value] ?? Self.folded(scalar)
                known[value] = folded
                for part in folded { append(part, place) }
            }
        }
    }

    private mutating func append(_ value: UInt32, _ place: Int) {
        scalars.append(value)
        places.append(Int32(truncatingIfNeeded: place))
    }

    var count: Int { scalars.count }

    /// Where it stands in ``original``.
    func source(of range: Range<Int>) -> Range<Int> {
        guard let first = range.first, let last = range.last else { return 0..<0 }
        return Int(places[first])..<Int(places[last]) + 1
    }

    package func written(_ source: Range<Int>) -> String {
        String(String.UnicodeScalarView(original[source]))
    }

    /// Whether something that nobody sees stands within.
    func hidesSomething(_ source: Range<Int>) -> Bool {
        original[source].contains { Self.isUnseen($0) || (0xE0000...0xE007F).contains($0.value) }
    }

    func matches(_ word: StaticString, at place: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard scalars.count - place >= length else { return false }
        for offset in 0..<length where scalars[place + offset] != UInt32(word.utf8Start[offset]) {
            return false
        }
        return true
    }

    /// Han and Hangul, which fold to themselves: most of a text of theirs.
    private static func isPlainIdeograph(_ value: UInt32) -> Bool {
        (0x4E00...0x9FFF).contains(value) || (0xAC00...0xD7A3).contains(value)
    }

    /// Format characters and others that are not shown; signs of Arabic are of that category and are shown.
    static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x80
            && (scalar.properties.isDefaultIgnorableCodePoint || (0xFFF9...0xFFFB).contains(scalar.value))
    }

    static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    private static func folded(_ scalar: Unicode.Scalar) -> [UInt32] {
        if isUnseen(scalar) { return [] }
        let small = String(scalar).decomposedStringWithCompatibilityMapping.lowercased()
        // A capital of a compatibility form becomes small only after it is plain.
        return small.decomposedStringWithCompatibilityMapping.unicodeScalars.compactMap { part in
            isMark(part) || isUnseen(part) ? nil : lookAlikes[part] ?? part.value
        }
    }

    /// Small letters and quotation marks that look like the ASCII ones.
    private static let lookAlikes: [Unicode.Scalar: UInt32] = {
        let pairs: [(others: String, plain: String)] = [
            ("авеѕіјкмнорстухһԁԛԝӏѵ", "abesijkmhopctyxhdqwlv"),
            ("ανορυικτχεγϲ", "avopuiktxeyc"),
            ("ıɑɡʟɩøłđħŧ", "iaglioldht"),
            ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"),
            ("օսհոզ", "ouhnq"),
            ("“”„‟«»「」『』‘’‚‛", "\"\"\"\"\"\"\"\"\"\"''''"),
        ]
        var table: [Unicode.Scalar: UInt32] = [:]
        for (others, plain) in pairs {
            for (other, letter) in zip(others.unicodeScalars, plain.unicodeScalars) {
                table[other] = letter.value
            }
        }
        return table
    }()
}
