#if Hub
import BreezeCore
import BreezeStore
public import Foundation
package import GRDB

/// What is in an index.
public struct IndexStatus: Codable, Hashable, Sendable {
    public var messages: Int
    /// Copies of messages, each of which lies somewhere.
    public var places: Int
    public var threads: Int
    public var folders: [String: Int]
    /// What was given to be indexed.
    public var roots: [String]
    /// Of the file, and of its log of changes.
    public var bytes: Int
}

/// A message that a search by words found.
public struct WordHit: Codable, Hashable, Sendable {
    public var message: Int64
    public var messageID: String
    /// Of one copy.
    public var path: String
    /// Larger is better; holds within one search.
    public var score: Double
}

extension MailIndex {
    /// One snapshot of the file, for what searches it and works on it.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await store.read(body)
    }

    /// One transaction.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await store.write(body)
    }

    public var url: URL { store.url }

    public func status() async throws -> IndexStatus {
        let url = store.url
        return try await store.read { database in
            func count(_ table: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
            }
            let folders = try Row.fetchAll(
                database,
                sql:
                    "SELECT folder, count(*) FROM place JOIN directory ON directory.id = directory GROUP BY folder"
            )
            return IndexStatus(
                messages: try count("message"),
                places: try count("place"),
                threads: try count("thread"),
                folders: Dictionary(uniqueKeysWithValues: folders.map { ($0[0], $0[1]) }),
                roots: try String.fetchAll(database, sql: "SELECT path FROM source ORDER BY path"),
                bytes: ["", "-wal"].reduce(0) { sum, suffix in
                    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + suffix)
                    return sum + ((attributes?[.size] as? Int) ?? 0)
                }
            )
        }
    }

    /// Newest first; those without a date last. `folder` is as ``IndexedPlace/folder`` names it, `nil` is all of them.
    public func list(folder: String? = nil, limit: Int = 100, offset: Int = 0) async throws
        -> [IndexedMessage]
    {
        try await store.read { database in
            let condition =
                folder == nil
                ? ""
                : "WHERE EXISTS (SELECT 1 FROM place JOIN directory ON directory.id = place.directory "
                    + "WHERE place.message = message.id AND folder = :folder)"
            return try Self.messages(
                database,
                "\(condition) ORDER BY date DESC, message.id DESC LIMIT :limit OFFSET :offset",
                ["folder": folder, "limit": limit, "offset": offset]
            )
        }
    }

    public func message(_ id: Int64) async throws -> IndexedMessage? {
        try await store.read { try Self.messages($0, "WHERE message.id = :id", ["id": id]).first }
    }

    /// More than one where a message carries another's id; the oldest in the index first.
    public func messages(withID messageID: String) async throws -> [IndexedMessage] {
        try await store.read { database in
            try Self.messages(database, "WHERE messageID = :id ORDER BY message.id", ["id": messageID])
        }
    }

    /// The text that is searched: what a person reads of the message, and of messages attached to it.
    public func text(of id: Int64) async throws -> String? {
        try await store.read { database in
            try String.fetchOne(database, sql: "SELECT body FROM text WHERE id = ?", arguments: [id])
        }
    }

    /// Messages that hold all `words`, in any part that is searched, best first. Words are taken as they are: nothing
    /// in them is an operator.
    public func find(_ words: String, limit: Int = 20) async throws -> [WordHit] {
        let query = words.split(whereSeparator: \.isWhitespace).map { word in
            "\"\(word.replacing("\"", with: "\"\"").replacing("\0", with: ""))\""
        }
        guard !query.isEmpty else { return [] }
        return try await store.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT found.rowid AS id, messageID, score,
                        (SELECT directory.path || iif(name = '', '', '/' || name) FROM place
                        JOIN directory ON directory.id = directory WHERE message = found.rowid LIMIT 1) AS path
                    FROM (SELECT rowid, \(WordScore.sql) AS score FROM words WHERE words MATCH ?
                        ORDER BY score DESC LIMIT ?) AS found
                    JOIN message ON message.id = found.rowid ORDER BY score DESC
                    """,
                arguments: [query.joined(separator: " "), limit]
            )
            .map {
                WordHit(
                    message: $0["id"],
                    messageID: $0["messageID"],
                    path: $0["path"] ?? "",
                    score: $0["score"]
                )
            }
        }
    }

    package static func messages(
        _ database: Database,
        _ rest: String,
        _ arguments: [String: (any DatabaseValueConvertible)?]
    ) throws -> [IndexedMessage] {
        let sql = "SELECT \(IndexedMessage.columns) FROM message JOIN text ON text.id = message.id \(rest)"
        let used = arguments.filter { sql.contains(":\($0.key)") }
        return try Row.fetchAll(database, sql: sql, arguments: StatementArguments(used)).map { row in
            let places = try Row.fetchAll(
                database,
                sql:
                    "SELECT path, folder, name, flags, start FROM place JOIN directory ON directory.id = directory "
                    + "WHERE message = ? ORDER BY place.id",
                arguments: [row["id"] as Int64]
            )
            return IndexedMessage(
                row,
                places: places.map { place in
                    let name: String = place["name"]
                    let folder: String = place["path"]
                    return IndexedPlace(
                        path: name.isEmpty ? folder : "\(folder)/\(name)",
                        folder: place["folder"],
                        flags: place["flags"],
                        start: place["start"]
                    )
                }
            )
        }
    }
}
#endif
