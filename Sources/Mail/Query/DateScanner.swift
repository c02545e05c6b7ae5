/// Cuts the text of a date into words, numbers, and numbers with separators.
struct DateScanner {
    enum Piece {
        case word(Substring)
        /// With the sign before it.
        case number(Int, digits: Int, sign: Character?)
        case group([(value: Int, digits: Int)], separator: Character, sign: Character?)
    }

    private var rest: Substring
    private var sign: Character?

    init(_ text: String) {
        rest = Substring(text)
    }

    /// `nil` at the end; what can be no part of a date is a word that nobody knows.
    mutating func next() -> Piece? {
        sign = nil
        while let first = rest.first, " ,-+./".contains(first) {
            sign = first
            rest.removeFirst()
        }
        guard let first = rest.first else { return nil }
        if first.isASCII, first.isNumber { return numbers() }
        let word = rest.prefix { $0.isLetter }
        guard !word.isEmpty else {
            defer { rest = "" }
            return .word(rest)
        }
        rest = rest.dropFirst(word.count)
        return .word(word)
    }

    private mutating func numbers() -> Piece? {
        guard let first = number() else { return nil }
        guard let separator = rest.first, ":/-.".contains(separator) else { return single(first) }
        var group = [first]
        while group.count < 3, rest.first == separator, let after = rest.dropFirst().first, after.isASCII,
            after.isNumber
        {
            rest.removeFirst()
            guard let number = number() else { return nil }
            group.append(number)
        }
        return group.count == 1 ? single(first) : .group(group, separator: separator, sign: sign)
    }

    private func single(_ number: (value: Int, digits: Int)) -> Piece {
        .number(number.value, digits: number.digits, sign: sign)
    }

    /// Digits beyond any date make it none.
    private mutating func number() -> (value: Int, digits: Int)? {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(digits.count)
        return (Int(digits.prefix(18)) ?? 0, digits.count)
    }
}

/// Units of what is ago, the finest first.
enum DateUnit: Int, Comparable {
    case second, minute, hour, day, week, month, year

    static func < (left: DateUnit, right: DateUnit) -> Bool { left.rawValue < right.rawValue }
}

/// The words that dates know, abbreviated as notmuch has them.
enum DateVocabulary {
    enum Meaning {
        /// 1 is Sunday.
        case weekday(Int)
        case month(Int)
        case unit(DateUnit)
        case number(Int)
        case half(isAfternoon: Bool)
        /// Minutes ahead of UTC.
        case zone(Int)
        case yesterday, today, now, noon, midnight, ordinal, filler
    }

    private static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
        "november",
        "december",
    ]
    /// With the fewest letters that stand for each.
    private static let units: [(name: String, least: Int, unit: DateUnit)] = [
        ("years", 1, .year), ("yrs", 2, .year), ("months", 2, .month), ("weeks", 1, .week), ("wks", 2, .week),
        ("days", 1, .day), ("hours", 1, .hour), ("hrs", 2, .hour), ("minutes", 2, .minute),
        ("mins", 2, .minute),
        ("seconds", 1, .second), ("secs", 3, .second),
    ]
    private static let words: [String: Meaning] = [
        "one": .number(1), "two": .number(2), "three": .number(3), "four": .number(4), "five": .number(5),
        "six": .number(6), "seven": .number(7), "eight": .number(8), "nine": .number(9), "ten": .number(10),
        "dozen": .number(12), "hundred": .number(100), "this": .number(0), "last": .number(1),
        "a": .number(1),
        "an": .number(1), "yesterday": .yesterday, "today": .today, "now": .now, "noon": .noon,
        "midnight": .midnight, "am": .half(isAfternoon: false), "pm": .half(isAfternoon: true),
        "st": .ordinal,
        "nd": .ordinal, "rd": .ordinal, "th": .ordinal, "ago": .filler, "of": .filler, "at": .filler,
        "t": .filler,
        "z": .zone(0), "utc": .zone(0), "gmt": .zone(0), "wet": .zone(0), "cet": .zone(60),
        "cest": .zone(120),
        "eet": .zone(120), "pst": .zone(-480), "mst": .zone(-420), "cst": .zone(-360), "est": .zone(-300),
        "ast": .zone(-240), "nst": .zone(-210),
    ]

    static func meaning(of word: Substring) -> Meaning? {
        // The one place where the case counts.
        if word == "M" { return .unit(.month) }
        if word == "m" { return .unit(.minute) }
        let folded = word.lowercased()
        if let exact = words[folded] { return exact }
        if folded.count >= 3 {
            if let found = weekdays.firstIndex(where: { $0.hasPrefix(folded) }) { return .weekday(found + 1) }
            if let found = months.firstIndex(where: { $0.hasPrefix(folded) }) { return .month(found + 1) }
            if folded == "sept" { return .month(9) }
        }
        return units.first { folded.count >= $0.least && $0.name.hasPrefix(folded) }.map { .unit($0.unit) }
    }
}
