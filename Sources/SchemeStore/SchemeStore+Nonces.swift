#if Hub
package import BreezeScheme
import BreezeStore
import Foundation
import GRDB

extension SchemeStore: NonceLedger {
    package func last() throws -> Int64 { try store.readNow(Self.last) }

    package func take(
        _ nonce: MessageNonce,
        of app: AppID,
        until expiry: UInt64,
        at now: Int64
    ) throws -> NonceDecision {
        try store.writeNow { database in
            let now = max(now, try Self.last(database))
            guard NonceRules.isCurrent(expiry, at: now) else {
                return .expired(at: now, isToBeTold: try Self.isToBeTold(app, at: now, database))
            }
            guard try !Self.holds(nonce, of: app, database) else { return .replayed }
            try Self.put("last", now, database)
            try database.execute(sql: "DELETE FROM nonce WHERE expiry <= ?", arguments: [now])
            try SchemeSchema.sweep(database, at: now)
            guard try Self.count(of: app, database) < NonceRules.limit else { return .full }
            try database.execute(
                sql: "INSERT INTO nonce (app, nonce, expiry) VALUES (?, ?, ?)",
                arguments: [app.text, Data(nonce.bytes), Int64(clamping: expiry)]
            )
            try Self.use(app, database)
            return .taken(at: now)
        }
    }

    private static func last(_ database: Database) throws -> Int64 { try value("last", database) ?? 0 }

    private static func isToBeTold(_ app: AppID, at now: Int64, _ database: Database) throws -> Bool {
        let sql = "SELECT time FROM told WHERE app = ?"
        let told = try Int64.fetchOne(database, sql: sql, arguments: [app.text])
        guard NonceRules.isToBeTold(since: told, at: now) else { return false }
        try database.execute(
            sql: "INSERT INTO told (app, time) VALUES (?, ?) ON CONFLICT DO UPDATE SET time = excluded.time",
            arguments: [app.text, now]
        )
        // Its answer is an envelope, too.
        try use(app, database)
        return true
    }

    private static func holds(_ nonce: MessageNonce, of app: AppID, _ database: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM nonce WHERE app = ? AND nonce = ?)"
        return try Bool.fetchOne(database, sql: sql, arguments: [app.text, Data(nonce.bytes)]) ?? false
    }

    private static func count(of app: AppID, _ database: Database) throws -> Int {
        let sql = "SELECT count(*) FROM nonce WHERE app = ?"
        return try Int.fetchOne(database, sql: sql, arguments: [app.text]) ?? 0
    }

    /// What is taken and what is told has one answer each at the most, so one count is enough for both directions.
    private static func use(_ app: AppID, _ database: Database) throws {
        try database.execute(sql: "UPDATE app SET uses = uses + 1 WHERE id = ?", arguments: [app.text])
    }
}
#endif
