import BreezeCore
import BreezeTransport
import Foundation

/// What a server's answer means for a file of which some bytes are there: a decision over values, without
/// I/O.
enum ServerAnswer: Equatable {
    /// The body goes on where the file ends.
    case more(total: Int64)
    /// The body is the whole file, from its beginning.
    case whole(total: Int64?)
    /// There is nothing beyond what is there.
    case nothingMore
    /// What is there belongs to another file, or this server cannot go on: ask for all of it.
    case beginAnew
    /// Try again, not before what the server asked for.
    case later(Duration?)
    case needsCredentials
    case forbidden
    /// Another source may have it.
    case missing
    case refused
    case compressed(String)

    /// Where `have`, the bytes that are there, is not zero, the request was for the rest. `now` is what a
    /// date in `Retry-After` is counted from.
    init(status: Int, headers: HeaderFields, have: Int64, record: PartRecord?, now: Date) {
        let range = ContentRange(headers["Content-Range"])
        if let encoding = headers["Content-Encoding"], (200..<300).contains(status),
            encoding.lowercased() != "identity", !encoding.isEmpty
        {
            self = .compressed(encoding)
            return
        }
        self =
            switch status {
            case 200:
                .whole(total: headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 < 0 ? nil : $0 })
            case 206: Self.partial(range, headers, have, record)
            case 416: Self.unsatisfied(range, have, record)
            case 401: .needsCredentials
            case 403: .forbidden
            case 404, 410: .missing
            case 408, 425, 429, 500...599: .later(RetryAfter.parse(headers["Retry-After"], now: now))
            default: .refused
            }
    }

    private static func partial(
        _ range: ContentRange?,
        _ headers: HeaderFields,
        _ have: Int64,
        _ record: PartRecord?
    ) -> ServerAnswer {
        guard have > 0, let range, let first = range.first, let last = range.last, let total = range.total,
            first == have, last == total - 1
        else {
            return .beginAnew
        }
        if let known = record?.total, known != total { return .beginAnew }
        if let known = record?.etag, let etag = headers["ETag"], known != etag { return .beginAnew }
        return .more(total: total)
    }

    private static func unsatisfied(_ range: ContentRange?, _ have: Int64, _ record: PartRecord?)
        -> ServerAnswer
    {
        guard have > 0, let total = range?.total, total == have else { return .beginAnew }
        return .nothingMore
    }
}

/// `bytes 0-9/100`, or of an answer without content `bytes */100`.
struct ContentRange: Equatable {
    let first: Int64?
    let last: Int64?
    /// `nil` where the server does not know it.
    let total: Int64?

    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        total = parts[1] == "*" ? nil : Self.number(parts[1])
        if parts[1] != "*", total == nil { return nil }
        if parts[0] == "*" {
            (first, last) = (nil, nil)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last,
            total.map({ last < $0 }) ?? true
        else {
            return nil
        }
        (self.first, self.last) = (first, last)
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int64(text) : nil
    }
}

/// Seconds, or a date (RFC 9110, section 10.2.3).
enum RetryAfter {
    static func parse(_ text: String?, now: Date) -> Duration? {
        guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (48...57).contains($0) }) {
            // A day is as good as any longer time: nobody waits for it.
            return .seconds(min(Int64(text) ?? 86_400, 86_400))
        }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        guard let date = format.date(from: text) else { return nil }
        return .seconds(min(max(0, date.timeIntervalSince(now)), 86_400))
    }
}
