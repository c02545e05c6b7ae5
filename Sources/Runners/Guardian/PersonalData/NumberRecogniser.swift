/// Finds one kind of number in a run.
struct NumberRecogniser: Sendable {
    let rule: String
    let category: String
    let risk: Double
    /// Whether a plus sign before it is part of it.
    var takesPlus = false
    /// The groups from the given one on that are such a number.
    let match: @Sendable (NumberRun, Int) -> Range<Int>?

    /// In the order in which they are tried at each place: what a checksum proves goes first.
    static let all: [NumberRecogniser] = [
        NumberRecogniser(rule: "iban", category: GuardianRules.Category.iban, risk: 0.85, match: iban),
        NumberRecogniser(
            rule: "phone.plus",
            category: GuardianRules.Category.phoneNumber,
            risk: 0.4,
            takesPlus: true
        ) { $0.groups[$1].plus == nil ? nil : phone($0, $1) },
        NumberRecogniser(
            rule: "payment-card",
            category: GuardianRules.Category.paymentCard,
            risk: 0.9,
            match: paymentCard
        ),
        NumberRecogniser(rule: "us-ssn", category: GuardianRules.Category.usSSN, risk: 0.85, match: usSSN),
        fixed("french-nir", GuardianRules.Category.frenchNIR, 0.85, 15, NationalNumber.isFrenchNIR),
        fixed(
            "codice-fiscale",
            GuardianRules.Category.italianFiscalCode,
            0.85,
            16,
            NationalNumber.isItalianFiscalCode
        ),
        fixed("uk-nino", GuardianRules.Category.ukNINO, 0.8, 9, NationalNumber.isUKNINO),
        fixed("spanish-dni", GuardianRules.Category.spanishDNI, 0.8, 9, NationalNumber.isSpanishDNI),
        NumberRecogniser(rule: "german-tax-id", category: GuardianRules.Category.germanTaxID, risk: 0.75) {
            let groups = $0.groups(from: $1, together: 11)
            guard let groups, [[11], [2, 3, 3, 3]].contains($0.sizes(groups)) else { return nil }
            return NationalNumber.isGermanTaxID($0.text(groups)) ? groups : nil
        },
        NumberRecogniser(rule: "ipv4", category: GuardianRules.Category.ipAddress, risk: 0.3, match: ipv4),
        NumberRecogniser(rule: "phone.zeros", category: GuardianRules.Category.phoneNumber, risk: 0.4) {
            run,
            first in
            let text = run.text(first..<first + 1)
            // After another number the zeros are that number's, or a table's.
            let isAlone = first == 0 || !run.groups[first - 1].isNumber
            return isAlone && text.count >= 4 && text.starts(with: [0x30, 0x30]) ? phone(run, first) : nil
        },
    ]

    private static func fixed(
        _ rule: String,
        _ category: String,
        _ risk: Double,
        _ length: Int,
        _ isValid: @escaping @Sendable (ArraySlice<UInt8>) -> Bool
    ) -> NumberRecogniser {
        NumberRecogniser(rule: rule, category: category, risk: risk) { run, first in
            guard let groups = run.groups(from: first, together: length) else { return nil }
            return isValid(run.text(groups)) ? groups : nil
        }
    }

    private static func iban(_ run: NumberRun, _ first: Int) -> Range<Int>? {
        let start = run.groups[first].first
        guard start + 2 <= run.characters.count, Plain.isLetter(run.characters[start]),
            let length = IBAN.length(country: run.characters[start..<start + 2]),
            let groups = run.groups(from: first, together: length)
        else { return nil }
        return IBAN.isValid(run.text(groups)) ? groups : nil
    }

    /// Digits in one piece, or in groups as cards print them, or in equal groups of any size.
    private static func paymentCard(_ run: NumberRun, _ first: Int) -> Range<Int>? {
        var total = 0
        for index in first..<run.groups.count {
            let group = run.groups[index]
            guard group.isNumber, index == first || group.gap == 1 else { return nil }
            total += group.count
            if total > PaymentCard.longest { return nil }
            let groups = first..<index + 1
            if total >= PaymentCard.shortest, isPrintedLikeACard(run, groups),
                PaymentCard.isValid(run.text(groups))
            {
                return groups
            }
        }
        return nil
    }

    private static func isPrintedLikeACard(_ run: NumberRun, _ groups: Range<Int>) -> Bool {
        guard groups.count > 1 else { return true }
        let sizes = run.sizes(groups)
        let isEven = sizes.dropLast().allSatisfy { $0 == sizes[0] } && sizes[sizes.count - 1] <= sizes[0]
        return run.isEvenlySeparated(groups) && (isEven || [[4, 6, 5], [4, 6, 4]].contains(sizes))
    }

    private static func usSSN(_ run: NumberRun, _ first: Int) -> Range<Int>? {
        let groups = first..<first + 3
        guard groups.upperBound <= run.groups.count, run.groups[groups].allSatisfy(\.isNumber),
            run.sizes(groups) == [3, 2, 4], run.isEvenlySeparated(groups)
        else { return nil }
        let separator = run.groups[first + 1].separator
        guard separator == UInt8(ascii: "-") || separator == Plain.space else { return nil }
        // Part of a longer number of the same make.
        if separator == UInt8(ascii: "-"), isJoined(run, groups, by: separator) { return nil }
        return NationalNumber.isUSSSN(run.text(groups)) ? groups : nil
    }

    /// Whether the same separator goes on before or after these groups.
    private static func isJoined(_ run: NumberRun, _ groups: Range<Int>, by separator: UInt8) -> Bool {
        let before = groups.lowerBound > 0 ? run.groups[groups.lowerBound] : nil
        let after = groups.upperBound < run.groups.count ? run.groups[groups.upperBound] : nil
        return [before, after].contains { $0?.gap == 1 && $0?.separator == separator }
    }

    private static func ipv4(_ run: NumberRun, _ first: Int) -> Range<Int>? {
        let groups = first..<first + 4
        let dot = UInt8(ascii: ".")
        guard groups.upperBound <= run.groups.count, run.groups[groups].allSatisfy(\.isNumber),
            run.isEvenlySeparated(groups), run.groups[first + 1].separator == dot,
            !isJoined(run, groups, by: dot)
        else { return nil }
        let numbers = groups.map { Int(String(decoding: run.text($0..<$0 + 1), as: UTF8.self)) ?? 256 }
        let areBytes = zip(numbers, run.groups[groups]).allSatisfy { number, group in
            number < 256 && "\(number)".utf8.count == group.count
        }
        // Loopback, "this network" and what no host has name nobody.
        return areBytes && numbers[0] != 0 && numbers[0] != 127 && numbers[0] < 224 ? groups : nil
    }

    /// Eight to fifteen digits (ITU-T E.164), the country's code among them.
    private static func phone(_ run: NumberRun, _ first: Int) -> Range<Int>? {
        let zeros = run.groups[first].plus == nil ? 2 : 0
        var total = -zeros
        var end = first
        while end < run.groups.count, run.groups[end].isNumber, end == first || run.groups[end].plus == nil,
            total + run.groups[end].count <= 15
        {
            total += run.groups[end].count
            end += 1
        }
        let text = run.text(first..<max(end, first + 1)).dropFirst(zeros)
        return total >= 8 && text.first != UInt8(ascii: "0") ? first..<end : nil
    }
}
