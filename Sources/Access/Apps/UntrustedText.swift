import BreezeCore

/// Text that a stranger chose and that a person will read beside our own.
enum UntrustedText {
    /// - Returns: `text` without the blanks around it.
    /// - Throws: ``BreezeError`` `.invalidRequest` where it is empty, too long, or holds what is not seen or changes
    ///   how its neighbours are seen: controls, line breaks, marks of direction, piles of accents.
    static func checked(_ text: String, named name: String, characters: Int) throws -> String {
        let trimmed = text.trimming(while: { $0 == " " })
        guard !trimmed.isEmpty else { throw AccessFault.invalid("\(name) is empty.") }
        guard trimmed.count <= characters, trimmed.utf8.count <= 4 * characters else {
            throw AccessFault.invalid("\(name) is longer than \(characters) characters.")
        }
        var marks = 0
        for scalar in trimmed.unicodeScalars {
            guard isVisible(scalar) else {
                let number = String(scalar.value, radix: 16, uppercase: true)
                throw AccessFault.invalid("\(name) holds a character that is not seen (U+\(number)).")
            }
            marks = isMark(scalar) ? marks + 1 : 0
            guard marks <= 4 else { throw AccessFault.invalid("\(name) piles up accents.") }
        }
        return trimmed
    }

    /// For a record: what cannot be shown becomes `U+FFFD`, and what is too long ends in `…`.
    static func cleaned(_ text: String, limit: Int) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        if isPlain, text.utf8.count <= limit { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(limit) {
            scalars.append(isVisible(scalar) ? scalar : "\u{FFFD}")
        }
        return text.unicodeScalars.count > limit ? "\(scalars)…" : String(scalars)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == " " { return true }
        // How an emoji asks for its colours.
        if scalar.value == 0xFE0F || scalar.value == 0xFE0E { return true }
        guard !scalar.properties.isDefaultIgnorableCodePoint, !scalar.properties.isWhitespace else {
            return false
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            return false
        default:
            return true
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }
}

extension String {
    fileprivate func trimming(while isBlank: (Character) -> Bool) -> String {
        let rest = drop(while: isBlank)
        return rest.lastIndex { !isBlank($0) }.map { String(rest[...$0]) } ?? ""
    }
}
