package import Foundation

/// Times as the two dialects write them.
package enum WireTime {
    /// Whole seconds since 1970.
    package static func seconds(_ date: Date) -> Int { whole(date.timeIntervalSince1970) }

    /// `2026-01-31T12:00:00.123456Z`. A formatter of Foundation costs more than a whole answer.
    package static func rfc3339(_ date: Date) -> String {
        let microseconds = whole((date.timeIntervalSince1970 * 1e6).rounded())
        let (day, microOfDay) = floorDivide(microseconds, 86_400_000_000)
        let (year, month, dayOfMonth) = civil(day)
        let (second, fraction) = (microOfDay / 1_000_000, microOfDay % 1_000_000)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
        let time = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
        return "\(date)T\(time).\(padded(fraction, 6))Z"
    }

    /// Nanoseconds of a time in seconds; 0 where it is unknown, or no time.
    static func nanoseconds(_ seconds: Double?) -> Int { max(0, whole(((seconds ?? 0) * 1e9).rounded())) }

    private static func whole(_ value: Double) -> Int {
        // Beyond the year 9999 or without meaning.
        guard value.isFinite, abs(value) < 2.5e17 else { return 0 }
        return Int(value.rounded(.down))
    }

    private static func floorDivide(_ value: Int, _ divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Days since 1970 as a date: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = floorDivide(day + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
