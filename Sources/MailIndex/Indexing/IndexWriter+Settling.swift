#if Hub
import GRDB

/// The end of a run: what is missed and did not turn up is taken out.
extension IndexWriter {
    struct Missed {
        var message: Int64
        var folder: Substring
        /// Folders where it lies now.
        var others: [Substring]
    }

    /// Takes the missed places out, at most `limit` of them.
    /// - Returns: `nil` where there are none.
    func takeMissed(limit: Int) throws -> [Missed]? {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT place.id, message, path FROM place JOIN directory ON directory.id = directory "
                + "WHERE isGone ORDER BY place.id LIMIT ?",
            arguments: [limit]
        )
        guard !rows.isEmpty else { return nil }
        return try rows.map { row in
            let message: Int64 = row["message"]
            try database.execute(sql: "DELETE FROM place WHERE id = ?", arguments: [row["id"] as Int64])
            try database.execute(sql: "INSERT OR IGNORE INTO loose VALUES (?)", arguments: [message])
            let others = try String.fetchAll(
                database,
                sql: "SELECT path FROM place JOIN directory ON directory.id = directory "
                    + "WHERE message = ? AND NOT isGone",
                arguments: [message]
            )
            return Missed(message: message, folder: Self.folder(row["path"]), others: others.map(Self.folder))
        }
    }

    /// Without `new` and `cur`.
    private static func folder(_ path: String) -> Substring {
        path.hasSuffix("/cur") || path.hasSuffix("/new") ? path.dropLast(4) : path[...]
    }

    /// Removes messages without a copy, at most `limit` of those that lost one.
    /// - Returns: how many were looked at and how many removed.
    func removeLoose(limit: Int) throws -> (seen: Int, removed: Int) {
        let loose = try Int64.fetchAll(database, sql: "SELECT message FROM loose LIMIT ?", arguments: [limit])
        var removed = 0
        for message in loose {
            try database.execute(sql: "DELETE FROM loose WHERE message = ?", arguments: [message])
            let isThere = try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM place WHERE message = ?)",
                arguments: [message]
            )
            if isThere == false {
                try remove(message)
                removed += 1
            }
        }
        return (loose.count, removed)
    }

    private func remove(_ message: Int64) throws {
        // The full-text index keeps no text: it has to be told what to forget.
        try database.execute(
            sql: """
                INSERT INTO words (words, rowid, subject, sender, recipients, copies, files, body)
                SELECT 'delete', id, subject, sender, recipients, copies, files, body FROM text WHERE id = ?
                """,
            arguments: [message]
        )
        // Its thread is open until the run's end, or the next one's where this one does not come so far.
        try database.execute(
            sql: """
                DELETE FROM thread WHERE id = (SELECT thread FROM message WHERE id = :message);
                UPDATE message SET thread = NULL WHERE thread = (SELECT thread FROM message WHERE id = :message);
                UPDATE fact SET value = max(value, :message) WHERE name = 'lastMessage';
                """,
            arguments: ["message": message]
        )
        try database.execute(sql: "DELETE FROM text WHERE id = ?", arguments: [message])
        try database.execute(sql: "DELETE FROM message WHERE id = ?", arguments: [message])
    }
}
#endif
