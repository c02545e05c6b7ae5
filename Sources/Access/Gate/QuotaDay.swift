import Foundation

/// A day of the device's local time.
struct QuotaDay: Hashable, Sendable {
    /// 20260131
    let number: Int
    let end: Date

    func remaining(at time: Date) -> Duration {
        .seconds(max(1, end.timeIntervalSince(time).rounded(.up)))
    }
}

/// Which day it is, for many that ask: a calendar takes longer than all the rest of a check.
struct QuotaCalendar: Sendable {
    private let calendar: @Sendable () -> Calendar
    private var known: (day: QuotaDay, from: Date, until: Date)?

    /// `calendar` is asked anew every minute: the device may be carried into another time zone.
    init(_ calendar: @escaping @Sendable () -> Calendar) {
        self.calendar = calendar
    }

    mutating func day(at time: Date) -> QuotaDay {
        if let known, known.from <= time, time < known.until { return known.day }
        let calendar = calendar()
        let parts = calendar.dateComponents([.year, .month, .day], from: time)
        let interval = calendar.dateInterval(of: .day, for: time)
        let number = (parts.year ?? 0) * 10_000 + (parts.month ?? 0) * 100 + (parts.day ?? 0)
        let day = QuotaDay(number: number, end: interval?.end ?? time.addingTimeInterval(86_400))
        known = (day, time, min(day.end, time.addingTimeInterval(60)))
        return day
    }
}
