/// A moment from a mail header: read from everything that has a day, a month, a year and a time, in RFC 5322's order,
/// `asctime`'s or ISO 8601's.
///
/// Years of two digits are 1950 to 2049, of three digits 1900 and on (RFC 5322, 4.3). Moments before 1970 become the
/// first of 1970 and those after 9999 the last of 9999, so that sorting and calendars hold.
public struct MailDate: Codable, Hashable, Sendable, Comparable {
    /// Since 1970-01-01T00:00:00Z; from 0 to 253402300799.
    public var unixSeconds: Int64
    /// Minutes that the sender's clock is ahead of UTC.
    public var zone: Int
    /// Whether the header's moment lies outside of what is kept.
    public var isClamped: Bool

    public static let latest: Int64 = 253_402_300_799

    public init(unixSeconds: Int64, zone: Int = 0) {
        self.unixSeconds = min(max(unixSeconds, 0), Self.latest)
        self.zone = zone
        isClamped = self.unixSeconds != unixSeconds
    }

    public static func < (left: MailDate, right: MailDate) -> Bool { left.unixSeconds < right.unixSeconds }

    /// `nil` where `header` is no date.
    public init?(header: String) {
        var fields = DateFields()
        for token in Self.tokens(header) where !fields.take(token) { return nil }
        guard let date = fields.date else { return nil }
        self = date
    }

    /// Words of a date; comments are left out, at most 20 words are read.
    private static func tokens(_ header: String) -> [Substring] {
        var plain = ""
        var depth = 0
        for scalar in header.unicodeScalars.prefix(400) {
            switch scalar {
            case "(": depth += 1
            case ")": depth = max(0, depth - 1)
            case ",", ";", "\"": plain.append(" ")
            default: if depth == 0 { plain.unicodeScalars.append(scalar) }
            }
        }
        return Array(plain.split(whereSeparator: \.isWhitespace).prefix(20))
    }
}

/// What the words of a date said so far.
private struct DateFields {
    private var day: Int?
    private var month: Int?
    private var year: Int?
    private var clock: (hour: Int, minute: Int, second: Int)?
    private var zone: Int?

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let zones = [
        "ut": 0, "utc": 0, "gmt": 0, "z": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420,
        "mdt": -360, "pst": -480, "pdt": -420, "cet": 60, "cest": 120, "bst": 60, "met": 60, "mest": 120,
        "jst": 540, "am": 0,
    ]

    /// - Returns: `false` where the word makes the date unreadable.
    mutating func take(_ token: Substring) -> Bool {
        let word = token.lowercased()
        if word.contains("t"), let iso = Self.iso(word) { return takeISO(iso) }
        if word.contains(":") { return takeClock(word) }
        if let first = word.first, first == "+" || first == "-", clock != nil || year != nil {
            if zone == nil { zone = Self.offset(word) }
            return true
        }
        if word.contains("-") || word.contains("/") { return takeJoined(word) }
        return takeWord(word)
    }

    var date: MailDate? {
        guard let day, let month, let year, (1...31).contains(day) else { return nil }
        let clock = clock ?? (0, 0, 0)
        let zone = zone ?? 0
        let days = Self.days(year: min(year, 100_000), month: month, day: day)
        let seconds = days * 86_400 + Int64(clock.hour * 3600 + clock.minute * 60 + clock.second)
        return MailDate(unixSeconds: seconds - Int64(zone * 60), zone: zone)
    }

    private mutating func takeWord(_ word: String) -> Bool {
        if word.utf8.allSatisfy({ (48...57).contains($0) }) {
            guard let number = Int(word.prefix(9)) else { return true }
            if day == nil, word.utf8.count <= 2 {
                day = number
            } else if year == nil {
                year = Self.year(number, digits: word.utf8.count)
            }
            return true
        }
        if month == nil, let found = Self.months.firstIndex(of: String(word.prefix(3))) {
            month = found + 1
        } else if word == "pm", let now = clock, now.hour < 12 {
            clock?.hour = now.hour + 12
        } else if zone == nil, clock != nil, let named = Self.zones[word], word != "am" {
            zone = named
        }
        return true
    }

    /// `12-aug-2002`, `2002-08-12`, `2002/08/12`.
    private mutating func takeJoined(_ word: String) -> Bool {
        let pieces = word.split { $0 == "-" || $0 == "/" }
        guard pieces.count == 3 else { return true }
        if pieces[0].utf8.count == 4, let first = Int(pieces[0]), let second = Int(pieces[1]) {
            guard (1...12).contains(second), let third = Int(pieces[2]) else { return false }
            (year, month, day) = (first, second, third)
            return true
        }
        return pieces.allSatisfy { takeWord(String($0)) }
    }

    private mutating func takeClock(_ word: String) -> Bool {
        guard clock == nil else { return true }
        let pieces = word.split(separator: ":", maxSplits: 2)
        guard pieces.count >= 2, let hour = Int(pieces[0]), let minute = Int(pieces[1].prefix(2)) else {
            return false
        }
        var second = 0
        if pieces.count == 3 {
            let digits = pieces[2].prefix { $0.isNumber }
            second = Int(digits.prefix(2)) ?? 0
            let rest = pieces[2].dropFirst(digits.count)
            if let sign = rest.firstIndex(where: { $0 == "+" || $0 == "-" }) {
                zone = Self.offset(String(rest[sign...]).replacing(":", with: ""))
            } else if rest == "z" {
                zone = 0
            }
        }
        guard (0...24).contains(hour), (0...59).contains(minute), (0...61).contains(second) else {
            return false
        }
        clock = (hour, minute, second)
        return true
    }

    private static func iso(_ word: String) -> (Substring, Substring)? {
        let pieces = word.split(separator: "t", maxSplits: 1)
        guard pieces.count == 2, pieces[0].utf8.count == 10, pieces[1].contains(":") else { return nil }
        return (pieces[0], pieces[1])
    }

    private mutating func takeISO(_ pieces: (Substring, Substring)) -> Bool {
        takeJoined(String(pieces.0)) && takeClock(String(pieces.1))
    }

    private static func year(_ number: Int, digits: Int) -> Int {
        switch digits {
        case ...2: number < 50 ? 2000 + number : 1900 + number
        case 3: 1900 + number
        default: number
        }
    }

    /// `+0130` as minutes; wild ones are none.
    private static func offset(_ word: String) -> Int? {
        let digits = word.dropFirst().replacing(":", with: "")
        guard digits.utf8.count == 4, let number = Int(digits), number % 100 < 60, number < 2400 else {
            return nil
        }
        let minutes = number / 100 * 60 + number % 100
        return word.hasPrefix("-") ? -minutes : minutes
    }

    /// Days since 1970 in the Gregorian calendar (Howard Hinnant's `days_from_civil`).
    private static func days(year: Int, month: Int, day: Int) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }
}
