import Foundation

/// The newest entries before a place, out of lines in any order: each connection has two of them, maybe in two files.
/// Holds twice as many entries as are wanted, however long the ledger is.
struct EgressSelection {
    private let limit: Int
    private let cursor: EgressPage.Cursor?
    private let decoder = JSONDecoder()
    private var found: [UUID: EgressEntry] = [:]
    /// The oldest that may still be wanted, once there are enough.
    private var oldest: EgressPage.Cursor?

    init(limit: Int, before cursor: EgressPage.Cursor?) {
        self.limit = limit
        self.cursor = cursor
        decoder.dateDecodingStrategy = .millisecondsSince1970
    }

    /// The lines of one file; one that a full disk cut short is passed over.
    mutating func take(_ data: Data) {
        // Backwards, since the newest are wanted.
        for line in data.split(separator: UInt8(ascii: "\n")).reversed() {
            if let time = Self.milliseconds(of: line), !isWanted(time) { continue }
            if let entry = try? decoder.decode(EgressEntry.self, from: line) { take(entry) }
        }
    }

    /// Most lines are of another page: a look at the time spares their decoding. A millisecond is left to rounding.
    private func isWanted(_ milliseconds: Double) -> Bool {
        if let cursor, milliseconds > Double(cursor.microseconds) / 1000 + 1 { return false }
        if let oldest, milliseconds < Double(oldest.microseconds) / 1000 - 1 { return false }
        return true
    }

    /// What a line ends with, since its keys are sorted; `nil` where it does not.
    private static func milliseconds(of line: Data) -> Double? {
        guard line.last == UInt8(ascii: "}"), let colon = line.lastIndex(of: UInt8(ascii: ":")),
            line[..<colon].suffix(6).elementsEqual(#""time""#.utf8)
        else {
            return nil
        }
        return Double(String(decoding: line[(colon + 1)...].dropLast(), as: UTF8.self))
    }

    private mutating func take(_ entry: EgressEntry) {
        let place = entry.place
        if let cursor, place >= cursor { return }
        if let oldest, place < oldest { return }
        // The last word on a connection is never that it is open, where there is another one.
        if let known = found[entry.id], known.outcome != .open { return }
        found[entry.id] = entry
        if found.count > 2 * limit + 1 { prune() }
    }

    /// One more than is wanted stays: it tells that there is another page.
    private mutating func prune() {
        let kept = sorted.prefix(limit + 1)
        oldest = kept.last?.place
        found = Dictionary(kept.map { ($0.id, $0) }) { first, _ in first }
    }

    private var sorted: [EgressEntry] { found.values.sorted { $0.place > $1.place } }

    var page: EgressPage {
        let all = sorted
        let entries = Array(all.prefix(limit))
        return EgressPage(entries: entries, next: all.count > limit ? entries.last?.place : nil)
    }
}
