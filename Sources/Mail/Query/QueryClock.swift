public import Foundation

/// What `today` means to the person who asks.
public struct QueryClock: Hashable, Sendable {
    public var now: Date
    public var timeZone: TimeZone

    public init(now: Date, timeZone: TimeZone) {
        self.now = now
        self.timeZone = timeZone
    }

    /// The Gregorian calendar there, with weeks that begin on Monday (ISO 8601).
    func calendar(zone: TimeZone? = nil) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone ?? timeZone
        calendar.firstWeekday = 2
        return calendar
    }
}
