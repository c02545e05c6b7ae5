import Foundation

/// A part of the ledger, newest first.
public struct EgressPage: Codable, Hashable, Sendable {
    /// Where the next page begins, whatever was written or rotated away since; as text, `MICROSECONDS-ID`.
    public struct Cursor: Hashable, Sendable {
        let microseconds: Int64
        let id: UUID
    }

    public let entries: [EgressEntry]
    /// `nil` at the end.
    public let next: Cursor?
}

extension EgressPage.Cursor: Comparable {
    public static func < (left: Self, right: Self) -> Bool {
        (left.microseconds, left.id.uuidString) < (right.microseconds, right.id.uuidString)
    }
}

extension EgressPage.Cursor: LosslessStringConvertible {
    public init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let microseconds = Int64(parts[0]),
            let id = UUID(uuidString: String(parts[1]))
        else {
            return nil
        }
        self.init(microseconds: microseconds, id: id)
    }

    public var description: String { "\(microseconds)-\(id.uuidString)" }
}

extension EgressPage.Cursor: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cursor = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not MICROSECONDS-ID")
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension EgressEntry {
    /// Its place in the ledger's order.
    var place: EgressPage.Cursor {
        EgressPage.Cursor(microseconds: Int64((time.timeIntervalSince1970 * 1e6).rounded()), id: id)
    }
}
