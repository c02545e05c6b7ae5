/// Numbers that a state gives to a person. Every text holds upper-case ASCII letters and digits.
enum NationalNumber {
    private static func number(_ text: some Sequence<UInt8>) -> Int {
        text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func areDigits(_ text: ArraySlice<UInt8>) -> Bool { text.allSatisfy(Plain.isDigit) }

    /// Nine digits. No area is 000, 666 or above 899, no group 00, no serial 0000; the two numbers of the
    /// well-known specimen cards belong to nobody.
    static func isUSSSN(_ text: ArraySlice<UInt8>) -> Bool {
        let (area, group, serial) = (
            number(text.prefix(3)), number(text.dropFirst(3).prefix(2)), number(text.suffix(4))
        )
        let isSpecimen = [078_05_1120, 219_09_9999].contains(number(text))
        return area != 0 && area != 666 && area < 900 && group != 0 && serial != 0 && !isSpecimen
    }

    /// Eleven digits: no 0 in front, one of the first ten digits two or three times and no other more than once,
    /// a check digit by ISO 7064, MOD 11,10.
    static func isGermanTaxID(_ text: ArraySlice<UInt8>) -> Bool {
        guard areDigits(text), text.count == 11, text.first != 0x30 else { return false }
        var counts = [Int](repeating: 0, count: 10)
        var product = 10
        for character in text.dropLast() {
            let digit = Int(character - 0x30)
            counts[digit] += 1
            let sum = (digit + product) % 10
            product = (sum == 0 ? 10 : sum) * 2 % 11
        }
        let repeated = counts.filter { $0 > 1 }
        guard repeated.count == 1, repeated[0] <= 3 else { return false }
        return (11 - product) % 10 == number(text.suffix(1))
    }

    /// Two letters, six digits, A to D. There is no check digit: the prefixes that are never given out are all
    /// that tells it from a part number.
    static func isUKNINO(_ text: ArraySlice<UInt8>) -> Bool {
        let prefix = Array(text.prefix(2))
        guard prefix.allSatisfy(Plain.isLetter), areDigits(text.dropFirst(2).prefix(6)),
            let last = text.last, (0x41...0x44).contains(last)
        else { return false }
        return !"DFIQUV".utf8.contains(prefix[0]) && !"DFIOQUV".utf8.contains(prefix[1])
            && !["BG", "GB", "NK", "KN", "TN", "NT", "ZZ"].contains(String(decoding: prefix, as: UTF8.self))
    }

    /// DNI: eight digits and a letter by the remainder of 23. NIE: X, Y or Z stands for the first digit 0, 1, 2.
    static func isSpanishDNI(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        var digits = Array(text.dropLast())
        if (0x58...0x5A).contains(first) { digits[0] = first - 0x58 + 0x30 }
        guard digits.allSatisfy(Plain.isDigit) else { return false }
        return Array("TRWAGMYFPDXBNJZSQVHLCKE".utf8)[number(digits) % 23] == last
    }

    /// Sex, year, month, department (2A and 2B for Corsica), commune, order; 97 less the remainder of 97.
    static func isFrenchNIR(_ text: ArraySlice<UInt8>) -> Bool {
        var digits = Array(text)
        var offset = 0
        if digits[5] == 0x32, digits[6] == 0x41 || digits[6] == 0x42 {
            // By the rule of INSEE: 2A counts as 19 and 2B as 18.
            offset = digits[6] == 0x41 ? 19 : 18
            digits[5] = 0x30 + UInt8(offset / 10)
            digits[6] = 0x30 + UInt8(offset % 10)
        }
        guard digits.allSatisfy(Plain.isDigit), [0x31, 0x32, 0x33, 0x34, 0x37, 0x38].contains(digits[0])
        else {
            return false
        }
        // Months above 12 stand for unknown dates: rare, and what timestamps would be taken for.
        guard (1...12).contains(number(digits[3..<5])) else { return false }
        return 97 - number(digits.prefix(13)) % 97 == number(digits.suffix(2))
    }

    /// Six letters, year, month letter, day, place, check letter. Where two people would share one, digits from
    /// the right are written as letters.
    static func isItalianFiscalCode(_ text: ArraySlice<UInt8>) -> Bool {
        let code = Array(text)
        let letters = [0, 1, 2, 3, 4, 5, 8, 11, 15]
        for (index, character) in code.enumerated() {
            let isLetter = Plain.isLetter(character)
            guard letters.contains(index) ? isLetter : !isLetter || "LMNPQRSTUV".utf8.contains(character)
            else {
                return false
            }
        }
        guard "ABCDEHLMPRST".utf8.contains(code[8]) else { return false }
        let sum = code.dropLast().enumerated().reduce(0) { sum, item in
            let (index, character) = item
            let value = Int(Plain.isDigit(character) ? character - 0x30 : character - 0x41)
            // Positions count from 1 in the decree, so the even indices are its odd places.
            return sum + (index % 2 == 0 ? oddValues[value] : value)
        }
        return Int(code[15] - 0x41) == sum % 26
    }

    /// By the decree of 23 December 1976, for 0…9 and A…Z (the digits' values are those of A…J).
    private static let oddValues = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
    ]
}
