import Foundation

extension DateWords {
    /// The span that is meant at a time and place; `nil` where the calendar has no such day.
    func span(_ clock: QueryClock) -> Span? {
        let zone = zone.flatMap { TimeZone(secondsFromGMT: $0 * 60) }
        let calendar = clock.calendar(zone: zone)
        guard let date = moment(clock.now, calendar) else { return nil }
        let back = DateComponents(
            year: -(ago[.year] ?? 0),
            month: -(ago[.month] ?? 0),
            day: -7 * (ago[.week] ?? 0) - (ago[.day] ?? 0),
            hour: -(ago[.hour] ?? 0),
            minute: -(ago[.minute] ?? 0),
            second: -(ago[.second] ?? 0)
        )
        guard let past = calendar.date(byAdding: back, to: date) else { return nil }
        let unit: Calendar.Component =
            switch finest {
            case .second: .second
            case .minute: .minute
            case .hour: .hour
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            }
        guard let span = calendar.dateInterval(of: unit, for: past) else { return nil }
        return (Int64(span.start.timeIntervalSince1970), Int64(span.end.timeIntervalSince1970))
    }

    /// The finest unit that was said.
    private var finest: DateUnit {
        var said = Array(ago.keys)
        if second != nil || isNow { said.append(.second) }
        if minute != nil { said.append(.minute) }
        if hour != nil { said.append(.hour) }
        if day != nil || weekday != nil || isToday { said.append(.day) }
        if month != nil { said.append(.month) }
        if year != nil { said.append(.year) }
        return said.min() ?? .day
    }

    /// The absolute part; what it does not say is now, or the latest that is not to come.
    private func moment(_ now: Date, _ calendar: Calendar) -> Date? {
        let today = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second, .weekday],
            from: now
        )
        guard let thisYear = today.year, let thisMonth = today.month, let thisDay = today.day else {
            return nil
        }
        var fields = DateComponents()
        fields.hour = hour ?? (isClockSaid ? 0 : today.hour)
        fields.minute = minute ?? (hour == nil ? today.minute : 0)
        fields.second = second ?? (hour == nil ? today.second : 0)
        if let weekday {
            let since = ((today.weekday ?? 1) - weekday + 7) % 7
            let days = since == 0 && isLast ? 7 : since
            guard let date = calendar.date(byAdding: .day, value: -days, to: now) else { return nil }
            let found = calendar.dateComponents([.year, .month, .day], from: date)
            (fields.year, fields.month, fields.day) = (found.year, found.month, found.day)
            return calendar.date(from: fields)
        }
        if let year {
            let month = month ?? (day == nil ? 1 : thisMonth)
            return Self.date(year, month, day ?? 1, fields, calendar)
        }
        if let month {
            // 29 February is up to eight years ago.
            for year in stride(from: thisYear, through: thisYear - 8, by: -1) {
                if year == thisYear, (month, day ?? 1) > (thisMonth, thisDay) { continue }
                if let date = Self.date(year, month, day ?? 1, fields, calendar) { return date }
            }
            return nil
        }
        if let day {
            for back in 0..<3 {
                if back == 0, day > thisDay { continue }
                let month = (thisMonth - 1 - back + 12) % 12 + 1
                let year = back >= thisMonth ? thisYear - 1 : thisYear
                if let date = Self.date(year, month, day, fields, calendar) { return date }
            }
            return nil
        }
        (fields.year, fields.month, fields.day) = (thisYear, thisMonth, thisDay)
        return calendar.date(from: fields)
    }

    private var isClockSaid: Bool { hour != nil || minute != nil || second != nil }

    /// `nil` for 30 February, which a calendar would move to March.
    private static func date(
        _ year: Int,
        _ month: Int,
        _ day: Int,
        _ rest: DateComponents,
        _ calendar: Calendar
    )
        -> Date?
    {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        guard day <= lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) else { return nil }
        var fields = rest
        (fields.year, fields.month, fields.day) = (year, month, day)
        return calendar.date(from: fields)
    }
}
