import Foundation

extension MailAddress {
    /// `Ada <ada@example.org>`
    package var shown: String { name.map { "\($0) <\(address)>" } ?? address }
}

extension MailDate {
    /// As the sender's clock had it: `2026-11-02T09:30:00+01:00`.
    package var iso: String {
        let zone = TimeZone(secondsFromGMT: zone * 60) ?? .gmt
        return Date.ISO8601FormatStyle(timeZone: zone).format(
            Date(timeIntervalSince1970: Double(unixSeconds))
        )
    }
}
