#if Hub
import BreezeStore
import Foundation
package import GRDB

/// What the person said of mail, kept apart from everything that can be made again.
public struct Correction: Codable, Hashable, Sendable {
    /// What is corrected: `category`, `spam`.
    public var kind: String
    /// What it is said of, in words that hold in another index too: a message id, a sender's address, a list.
    public var key: String
    public var value: String
    /// Seconds since 1970.
    public var made: Int64
    /// JSON of what is learned from it; `nil` where it is a rule alone.
    public var lesson: String?

    public init(kind: String, key: String, value: String, made: Int64, lesson: String? = nil) {
        self.kind = kind
        self.key = key
        self.value = value
        self.made = made
        self.lesson = lesson
    }

    package init(_ row: Row) {
        self.init(
            kind: row["kind"],
            key: row["key"],
            value: row["value"],
            made: row["made"],
            lesson: row["lesson"]
        )
    }

    /// The later word counts.
    package func write(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO correction (kind, key, value, made, lesson) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
                value = excluded.value, made = excluded.made, lesson = excluded.lesson WHERE excluded.made >= made
                """,
            arguments: [kind, key, value, made, lesson]
        )
    }
}

extension MailIndex {
    /// All of them, for a copy outside of the index.
    public func exportCorrections() async throws -> [Correction] {
        try await store.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM correction ORDER BY kind, key").map(
                Correction.init
            )
        }
    }

    /// Of two about the same thing the later one counts.
    public func importCorrections(_ corrections: [Correction]) async throws {
        try await store.write { database in
            for correction in corrections { try correction.write(database) }
        }
    }
}

/// Reads what a person had said out of a damaged index, before it is built anew from mail.
struct CorrectionSalvage {
    private let damaged: URL

    struct Outcome {
        var corrections: Int
        var roots: Int
        /// Whether nothing of it had to be left.
        var isWhole: Bool

        var sentence: String {
            isWhole
                ? "Taken over from it: \(corrections) corrections of yours and \(roots) places of mail."
                : "Taken over from it, as far as it could be read: \(corrections) corrections of yours and \(roots) "
                    + "places of mail."
        }
    }

    init(_ damaged: URL) {
        self.damaged = damaged
    }

    /// The damaged file stays as it is.
    func restore(into store: Store) throws -> Outcome {
        var isWhole = true
        var corrections: [Correction] = []
        var roots: [String] = []
        var configuration = Configuration()
        configuration.readonly = true
        if let queue = try? DatabaseQueue(path: damaged.path, configuration: configuration) {
            corrections = read(queue, "SELECT * FROM correction", &isWhole).map(Correction.init)
            roots = read(queue, "SELECT path FROM source", &isWhole).map { $0["path"] }
            try? queue.close()
        } else {
            isWhole = false
        }
        try store.writeNow { database in
            for correction in corrections { try correction.write(database) }
            for path in roots {
                try database.execute(sql: "INSERT OR IGNORE INTO source VALUES (?)", arguments: [path])
            }
        }
        return Outcome(corrections: corrections.count, roots: roots.count, isWhole: isWhole)
    }

    /// Row by row, up to the first that cannot be read.
    private func read(_ queue: DatabaseQueue, _ sql: String, _ isWhole: inout Bool) -> [Row] {
        var found: [Row] = []
        do {
            try queue.read { database in
                let rows = try Row.fetchCursor(database, sql: sql)
                while let row = try rows.next() { found.append(row.copy()) }
            }
        } catch {
            isWhole = false
        }
        return found
    }
}
#endif
