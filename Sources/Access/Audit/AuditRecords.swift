#if Hub
import BreezeCore
import Foundation
import GRDB

/// The audit log and the day's use in the file.
enum AuditRecords {
    private static let columns = [
        "time", "request", "who", "app", "uid", "action", "capability", "model", "runner", "locality",
        "outcome",
        "error", "tokensIn", "tokensOut", "bytesIn", "bytesOut", "queueSeconds", "loadSeconds", "runSeconds",
        "totalSeconds", "count",
    ]
    private static let insertion =
        "INSERT INTO audit (\(columns.joined(separator: ", "))) VALUES "
        + "(\(columns.map { _ in "?" }.joined(separator: ", ")))"

    static func write(_ pending: PendingWrites, _ database: Database) throws {
        let insert = try database.cachedStatement(sql: insertion)
        for entry in pending.entries {
            insert.setUncheckedArguments(arguments(entry))
            try insert.execute()
        }
        for (key, use) in pending.use {
            try database.execute(
                sql: "INSERT INTO use VALUES (?, ?, ?, ?, ?) ON CONFLICT (app, day) DO UPDATE SET "
                    + "requests = requests + excluded.requests, tokens = tokens + excluded.tokens, "
                    + "computeSeconds = computeSeconds + excluded.computeSeconds",
                arguments: [key.app, key.day, use.requests, use.tokens, use.computeSeconds]
            )
        }
        for (table, used) in [("app", pending.appsUsed), ("key", pending.keysUsed)] {
            for (id, time) in used {
                try database.execute(
                    sql: "UPDATE \(table) SET lastUsed = ? WHERE id = ?",
                    arguments: [time.milliseconds, id]
                )
            }
        }
    }

    private static func arguments(_ entry: AuditEntry) -> StatementArguments {
        let values: [(any DatabaseValueConvertible)?] = [
            entry.time.milliseconds, entry.request, entry.who, entry.app, entry.uid.map { Int64($0) },
            entry.action, entry.capability, entry.model, entry.runner, entry.locality?.rawValue,
            entry.outcome,
            entry.error, entry.tokensIn, entry.tokensOut, entry.bytesIn, entry.bytesOut, entry.queueSeconds,
            entry.loadSeconds, entry.runSeconds, entry.totalSeconds, entry.count,
        ]
        return StatementArguments(values)
    }

    /// Newest first.
    static func page(
        since: Date?,
        until: Date?,
        app: String?,
        limit: Int,
        before cursor: AuditPage.Cursor?,
        _ database: Database
    ) throws -> AuditPage {
        var (conditions, arguments) = ([String](), StatementArguments())
        if let since {
            conditions.append("time >= ?")
            arguments += [since.milliseconds]
        }
        if let until {
            conditions.append("time < ?")
            arguments += [until.milliseconds]
        }
        if let app {
            conditions.append("app = ?")
            arguments += [app]
        }
        if let cursor {
            conditions.append("(time, id) < (?, ?)")
            arguments += [cursor.milliseconds, cursor.row]
        }
        let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM audit \(condition) ORDER BY time DESC, id DESC LIMIT \(limit + 1)",
            arguments: arguments
        )
        let shown = rows.prefix(limit)
        let next = rows.count > limit ? shown.last : nil
        return AuditPage(
            entries: shown.map(entry),
            next: next.map { AuditPage.Cursor(milliseconds: $0["time"], row: $0["id"]) }
        )
    }

    private static func entry(_ row: Row) -> AuditEntry {
        var entry = AuditEntry(
            time: Date(milliseconds: row["time"]),
            request: row["request"],
            who: row["who"],
            app: row["app"],
            uid: (row["uid"] as Int64?).map { UInt32(truncatingIfNeeded: $0) },
            action: row["action"],
            capability: row["capability"],
            model: row["model"],
            runner: row["runner"],
            locality: (row["locality"] as String?).flatMap(Locality.init(rawValue:)),
            outcome: row["outcome"],
            error: row["error"]
        )
        entry.tokensIn = row["tokensIn"]
        entry.tokensOut = row["tokensOut"]
        entry.bytesIn = row["bytesIn"]
        entry.bytesOut = row["bytesOut"]
        entry.queueSeconds = row["queueSeconds"]
        entry.loadSeconds = row["loadSeconds"]
        entry.runSeconds = row["runSeconds"]
        entry.totalSeconds = row["totalSeconds"]
        entry.count = row["count"]
        return entry
    }

    // MARK: - What is too old

    /// At most `limit` rows at a time, so that nobody waits long for the file.
    /// - Returns: whether there may be more.
    static func prune(
        _ retention: AuditRetention,
        now: Date,
        usedBefore day: Int,
        limit: Int,
        _ database: Database
    ) throws -> Bool {
        try database.execute(sql: "DELETE FROM use WHERE day < ?", arguments: [day])
        let cutoff = now.milliseconds - Int64(retention.days) * 86_400_000
        // The newest row that is one too many: it and all before it go.
        let surplus = try Row.fetchOne(
            database,
            sql: "SELECT time, id FROM audit ORDER BY time DESC, id DESC LIMIT 1 OFFSET ?",
            arguments: [retention.rows]
        )
        var (time, id) = (cutoff - 1, Int64.max)
        if let surplus {
            let last: Int64 = surplus["time"]
            if last > time { (time, id) = (last, surplus["id"]) }
        }
        try database.execute(
            sql: "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE (time, id) <= (?, ?) "
                + "ORDER BY time, id LIMIT ?)",
            arguments: [time, id, limit]
        )
        return database.changesCount == limit
    }

    static func use(since day: Int, _ database: Database) throws -> [QuotaMeter.Key: QuotaUse] {
        let rows = try Row.fetchAll(database, sql: "SELECT * FROM use WHERE day >= ?", arguments: [day])
        return Dictionary(
            uniqueKeysWithValues: rows.map { row in
                let use = QuotaUse(
                    requests: row["requests"],
                    tokens: row["tokens"],
                    computeSeconds: row["computeSeconds"]
                )
                return (QuotaMeter.Key(app: row["app"], day: row["day"]), use)
            }
        )
    }
}
#endif
