#if Hub
import BreezeCore
import Foundation
import GRDB

/// Apps and keys in the file.
enum AppRecords {
    static func apps(_ database: Database) throws -> [App] {
        try Row.fetchAll(database, sql: "SELECT * FROM app").map(app)
    }

    static func app(_ id: String, _ database: Database) throws -> App {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM app WHERE id = ?", arguments: [id])
        else {
            throw AccessFault.unknownApp(id)
        }
        return try app(row)
    }

    static func count(_ state: App.State, _ database: Database) throws -> Int {
        try Int.fetchOne(
            database,
            sql: "SELECT count(*) FROM app WHERE state = ?",
            arguments: [state.rawValue]
        ) ?? 0
    }

    static func insert(_ app: App, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO app (id, name, icon, asked, granted, quota, expires, state, created, decided) "
                + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                app.id, app.name, app.icon, try JSONColumn.text(app.asked), try JSONColumn.text(app.granted),
                try JSONColumn.text(app.quota), app.expires?.milliseconds, app.state.rawValue,
                app.created.milliseconds, app.decided?.milliseconds,
            ]
        )
    }

    /// What the owner decides about; the rest of an app never changes.
    static func update(_ app: App, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE app SET granted = ?, quota = ?, expires = ?, state = ?, decided = ? WHERE id = ?",
            arguments: [
                try JSONColumn.text(app.granted), try JSONColumn.text(app.quota), app.expires?.milliseconds,
                app.state.rawValue, app.decided?.milliseconds, app.id,
            ]
        )
    }

    static func remove(_ id: String, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM app WHERE id = ?", arguments: [id])
        try database.execute(sql: "DELETE FROM use WHERE app = ?", arguments: [id])
    }

    private static func app(_ row: Row) throws -> App {
        guard let state = App.State(rawValue: row["state"]) else { throw JSONColumn.unknown("state") }
        return App(
            id: row["id"],
            name: row["name"],
            icon: row["icon"],
            asked: try JSONColumn.value(row["asked"]),
            granted: try JSONColumn.value(row["granted"]),
            quota: try JSONColumn.value(row["quota"]),
            expires: date(row["expires"]),
            state: state,
            created: Date(milliseconds: row["created"]),
            decided: date(row["decided"]),
            lastUsed: date(row["lastUsed"])
        )
    }

    // MARK: - Keys

    static func keys(_ database: Database) throws -> [AccessState.HeldKey] {
        try Row.fetchAll(database, sql: "SELECT * FROM key").compactMap { row in
            guard let digest = KeyDigest(row["digest"] as Data) else { return nil }
            return AccessState.HeldKey(key: key(row), digest: digest)
        }
    }

    static func keys(of app: String, _ database: Database) throws -> [AppKey] {
        try Row.fetchAll(database, sql: "SELECT * FROM key WHERE app = ? ORDER BY created", arguments: [app])
            .map(key)
    }

    static func key(_ id: String, _ database: Database) throws -> AppKey {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM key WHERE id = ?", arguments: [id])
        else {
            throw BreezeError(
                .unknownApp,
                "There is no key \(UntrustedText.cleaned(id, limit: 40)).",
                remedy: "List the apps with their keys: breeze apps"
            )
        }
        return key(row)
    }

    static func insert(_ held: AccessState.HeldKey, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO key (id, app, label, digest, created) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                held.key.id, held.key.app, held.key.label, held.digest.bytes, held.key.created.milliseconds,
            ]
        )
    }

    static func update(_ key: AppKey, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE key SET expires = ?, revoked = ? WHERE id = ?",
            arguments: [key.expires?.milliseconds, key.revoked?.milliseconds, key.id]
        )
    }

    private static func key(_ row: Row) -> AppKey {
        AppKey(
            id: row["id"],
            app: row["app"],
            label: row["label"],
            created: Date(milliseconds: row["created"]),
            expires: date(row["expires"]),
            revoked: date(row["revoked"]),
            lastUsed: date(row["lastUsed"])
        )
    }

    static func date(_ milliseconds: Int64?) -> Date? { milliseconds.map { Date(milliseconds: $0) } }
}

/// Values that are kept as text.
enum JSONColumn {
    static func text(_ value: some Encodable) throws -> String {
        do { return String(decoding: try AccessJSON.encoder.encode(value), as: UTF8.self) } catch {
            throw BreezeError(.internalError, "A record has no JSON form.", underlying: error)
        }
    }

    static func value<Value: Decodable>(_ text: String) throws -> Value {
        do { return try AccessJSON.decoder.decode(Value.self, from: Data(text.utf8)) } catch {
            throw unknown("\(Value.self)", error)
        }
    }

    static func unknown(_ what: String, _ error: (any Error)? = nil) -> BreezeError {
        BreezeError(
            .invalidFile,
            "The file with the apps holds a record that this Breeze does not know (\(what)).",
            remedy: "Update Breeze.",
            underlying: error
        )
    }
}
#endif
