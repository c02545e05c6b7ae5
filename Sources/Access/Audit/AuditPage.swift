package import Foundation

/// How long the audit log is kept: whatever is beyond either goes.
package struct AuditRetention: Codable, Hashable, Sendable {
    package var days: Int
    package var rows: Int

    package init(days: Int = 30, rows: Int = 500_000) {
        self.days = max(0, days)
        self.rows = max(0, rows)
    }
}

/// A part of the audit log, newest first.
package struct AuditPage: Codable, Hashable, Sendable {
    /// Where the next page begins; as text, `TIME-ROW`.
    package struct Cursor: Hashable, Sendable {
        let milliseconds: Int64
        let row: Int64
    }

    package let entries: [AuditEntry]
    /// `nil` at the end.
    package let next: Cursor?

    /// `{"entries": […], "next": "…"}`, times in UTC by ISO 8601 to the millisecond.
    package func json() throws -> Data {
        try AccessJSON.encoder.encode(self)
    }
}

extension AuditPage.Cursor: LosslessStringConvertible {
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let milliseconds = Int64(parts[0]), let row = Int64(parts[1]),
            "\(milliseconds)-\(row)" == text
        else { return nil }
        self.init(milliseconds: milliseconds, row: row)
    }

    package var description: String { "\(milliseconds)-\(row)" }
}

extension AuditPage.Cursor: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cursor = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not TIME-ROW")
        }
        self = cursor
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// The one form of this module's values outside of it.
package enum AccessJSON {
    package static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(style))
        }
        return encoder
    }

    package static var decoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try Date(try decoder.singleValueContainer().decode(String.self), strategy: style)
        }
        return decoder
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// What is kept is kept to the millisecond.
extension Date {
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    var wholeMilliseconds: Date { Date(milliseconds: milliseconds) }
}
