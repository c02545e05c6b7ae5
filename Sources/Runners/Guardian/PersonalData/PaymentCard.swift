/// Card numbers by ISO/IEC 7812: an issuer's prefix, a length that issuer uses, and the check digit of Luhn.
enum PaymentCard {
    static let shortest = 13
    static let longest = 19

    /// Prefixes, as numbers of equally many digits, and lengths in digits. American Express, Diners Club,
    /// Discover, JCB, Maestro's commonest, Mastercard, Mir, UnionPay, Visa.
    private static let issuers: [(prefixes: ClosedRange<Int>, digits: Int, lengths: ClosedRange<Int>)] = [
        (34...34, 2, 15...15), (37...37, 2, 15...15), (300...305, 3, 14...14), (3095...3095, 4, 14...14),
        (36...36, 2, 14...19), (38...39, 2, 14...19), (6011...6011, 4, 16...19), (644...649, 3, 16...19),
        (65...65, 2, 16...19), (3528...3589, 4, 16...19), (5018...5018, 4, 13...19),
        (5020...5020, 4, 13...19), (5038...5038, 4, 13...19), (5893...5893, 4, 13...19),
        (6304...6304, 4, 13...19), (6759...6763, 4, 13...19), (51...55, 2, 16...16),
        (2221...2720, 4, 16...16), (2200...2204, 4, 16...19), (62...62, 2, 16...19), (4...4, 1, 13...13),
        (4...4, 1, 16...16), (4...4, 1, 19...19),
    ]

    /// `text` holds ASCII digits.
    static func isValid(_ text: ArraySlice<UInt8>) -> Bool {
        let hasIssuer = issuers.contains { issuer in
            let prefix = text.prefix(issuer.digits).reduce(0) { $0 * 10 + Int($1 - 0x30) }
            return issuer.prefixes.contains(prefix) && issuer.lengths.contains(text.count)
        }
        return hasIssuer && passesLuhn(text)
    }

    private static func passesLuhn(_ text: ArraySlice<UInt8>) -> Bool {
        var sum = 0
        for (index, digit) in text.reversed().enumerated() {
            let value = Int(digit - 0x30) * (index % 2 == 0 ? 1 : 2)
            sum += value > 9 ? value - 9 : value
        }
        return sum % 10 == 0
    }
}
