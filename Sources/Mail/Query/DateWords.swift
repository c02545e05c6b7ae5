import Foundation

/// What the words of a date in a query say, notmuch's and mu's forms and a few more: absolute fields, a
/// distance into the past, or both. An unclear date is a span: `2020` is the whole year, `yesterday` the
/// whole day.
struct DateWords {
    /// The span's first second and the first one behind it, since 1970.
    typealias Span = (start: Int64, end: Int64)

    private(set) var year: Int?
    private(set) var month: Int?
    private(set) var day: Int?
    private(set) var weekday: Int?
    private(set) var hour: Int?
    private(set) var minute: Int?
    private(set) var second: Int?
    private(set) var isAfternoon: Bool?
    private(set) var zone: Int?
    /// How many of each unit ago.
    private(set) var ago: [DateUnit: Int] = [:]
    private(set) var isNow = false
    private(set) var isToday = false
    /// Of `last monday`: today is not meant.
    private(set) var isLast = false

    /// A number that the next word says the meaning of.
    private var pending: (value: Int, digits: Int, sign: Character?)?
    private var isMonthJustSet = false

    /// `nil` where it is no date.
    init?(_ text: String) {
        let plain = text.replacing("_", with: " ").replacing("a.m.", with: "am").replacing("p.m.", with: "pm")
        var scanner = DateScanner(plain)
        var isEmpty = true
        while let piece = scanner.next() {
            isEmpty = false
            guard take(piece) else { return nil }
        }
        guard !isEmpty, settlePending(), settleClock() else { return nil }
    }

    private mutating func take(_ piece: DateScanner.Piece) -> Bool {
        switch piece {
        case .word(let word): return takeWord(word)
        case .number(let value, let digits, let sign):
            guard settlePending() else { return false }
            pending = (value, digits, sign)
            return true
        case .group(let numbers, let separator, let sign):
            guard settlePending() else { return false }
            return takeGroup(numbers, separator, sign)
        }
    }

    private mutating func takeWord(_ word: Substring) -> Bool {
        guard let meaning = DateVocabulary.meaning(of: word) else { return false }
        defer { isMonthJustSet = if case .month = meaning { true } else { false } }
        switch meaning {
        case .weekday(let value):
            isLast = pending.map { $0.digits == 0 && $0.value == 1 } ?? false
            pending = nil
            return set(&weekday, value)
        case .month(let value):
            if let number = pending {
                pending = nil
                if number.digits > 2 { year = number.value } else if number.digits > 0 { day = number.value }
            }
            return set(&month, value)
        case .unit(let unit):
            let count = pending?.value ?? 1
            pending = nil
            guard count <= 100_000 else { return false }
            ago[unit, default: 0] += count
            return true
        case .number(let value):
            guard settlePending() else { return false }
            pending = (value, 0, nil)
            return true
        case .yesterday: ago[.day, default: 0] += 1
        case .today: isToday = true
        case .now: isNow = true
        case .noon: return set(&hour, 12) && set(&minute, 0) && set(&second, 0)
        case .midnight: return set(&hour, 0) && set(&minute, 0) && set(&second, 0)
        case .half(let isAfternoon):
            if let number = pending, number.digits > 0 {
                pending = nil
                guard set(&hour, number.value) else { return false }
            }
            return set(&self.isAfternoon, isAfternoon)
        case .ordinal:
            guard let number = pending, (1...2).contains(number.digits) else { return false }
            pending = nil
            return set(&day, number.value)
        case .zone(let minutes): return settlePending() && set(&zone, minutes)
        case .filler: break
        }
        return true
    }

    /// A number that no word has claimed.
    private mutating func settlePending() -> Bool {
        guard let (value, digits, sign) = pending else { return true }
        pending = nil
        let isZone = sign == "+" || (sign == "-" && hour != nil && minute != nil)
        switch digits {
        case 1, 2:
            if isZone { return set(&zone, (sign == "-" ? -60 : 60) * value) }
            return isMonthJustSet && set(&day, value)
        case 4:
            if isZone, value <= 1_400 {
                return set(&zone, (sign == "-" ? -1 : 1) * (value / 100 * 60 + value % 100))
            }
            return set(&year, value)
        case 6: return setClock(value / 10_000, value / 100 % 100, value % 100)
        case 8: return setDate(value / 10_000, value / 100 % 100, value % 100)
        case 12:
            return setDate(value / 100_000_000, value / 1_000_000 % 100, value / 10_000 % 100)
                && setClock(value / 100 % 100, value % 100, nil)
        case 14:
            return setDate(value / 10_000_000_000, value / 100_000_000 % 100, value / 1_000_000 % 100)
                && setClock(value / 10_000 % 100, value / 100 % 100, value % 100)
        default: return false
        }
    }

    private mutating func takeGroup(
        _ numbers: [(value: Int, digits: Int)],
        _ separator: Character,
        _ sign: Character?
    ) -> Bool {
        let (values, digits) = (numbers.map(\.value), numbers.map(\.digits))
        let third = values.count == 3 ? values[2] : nil
        if separator == ":" {
            if hour != nil, minute != nil, third == nil, let sign {
                return set(&zone, (sign == "-" ? -1 : 1) * (values[0] * 60 + values[1]))
            }
            return digits[0] <= 2 && digits[1] == 2 && setClock(values[0], values[1], third)
        }
        if digits[0] == 4 {
            return digits[1] <= 2 && setDate(values[0], values[1], third)
        }
        guard digits[0] <= 2 else { return false }
        // Month and year: 7/2012, 07-2012.
        if digits[1] == 4 { return third == nil && separator != "." && setDate(values[1], values[0], nil) }
        guard digits[1] <= 2, third == nil || digits[2] == 2 || digits[2] == 4 else { return false }
        let full = third.map { digits[2] == 4 ? $0 : $0 + ($0 < 70 ? 2000 : 1900) }
        // Americans write the month first, with slashes.
        return separator == "/" ? setDate(full, values[0], values[1]) : setDate(full, values[1], values[0])
    }

    private mutating func setDate(_ year: Int?, _ month: Int, _ day: Int?) -> Bool {
        if let year, !set(&self.year, year) { return false }
        if let day, !set(&self.day, day) { return false }
        return set(&self.month, month)
    }

    private mutating func setClock(_ hour: Int, _ minute: Int, _ second: Int?) -> Bool {
        if let second, !set(&self.second, second) { return false }
        return set(&self.hour, hour) && set(&self.minute, minute)
    }

    /// A field is said once.
    private func set<Value>(_ field: inout Value?, _ value: Value) -> Bool {
        guard field == nil else { return false }
        field = value
        return true
    }

    private mutating func settleClock() -> Bool {
        if let isAfternoon {
            guard let twelve = hour, (1...12).contains(twelve) else { return false }
            hour = twelve % 12 + (isAfternoon ? 12 : 0)
        }
        let isClock = (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60
        let isCalendar = (1...12).contains(month ?? 1) && (1...31).contains(day ?? 1)
        let hasYear = (1970...9999).contains(year ?? 1970)
        return isClock && isCalendar && hasYear && abs(zone ?? 0) <= 14 * 60 && (weekday == nil || day == nil)
    }
}
