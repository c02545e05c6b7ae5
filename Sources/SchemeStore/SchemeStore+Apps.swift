#if Hub
import BreezeCore
package import BreezeScheme
import BreezeStore
import Foundation
import GRDB

extension SchemeStore {
    private struct KeptKeys: Codable { let toHub, toApp: Data }

    /// Withdrawn ones, too; the oldest first.
    package func apps() throws -> [SchemeApp] {
        try store.readNow { try Row.fetchAll($0, sql: "SELECT * FROM app ORDER BY paired, id").map(Self.app) }
    }

    package func app(_ id: AppID) throws -> SchemeApp? {
        try store.readNow { database in
            let sql = "SELECT * FROM app WHERE id = ?"
            return try Row.fetchOne(database, sql: sql, arguments: [id.text]).map(Self.app)
        }
    }

    /// With its keys, whether it was withdrawn or not: for ``SealedReceiver``.
    package func pairedApp(_ id: AppID) throws -> PairedApp? {
        let found = try store.readNow { database -> (SchemeApp, Data)? in
            let sql = "SELECT * FROM app WHERE id = ?"
            return try Row.fetchOne(database, sql: sql, arguments: [id.text])
                .map { (try Self.app($0), $0["keys"]) }
        }
        guard let (app, data) = found else { return nil }
        let keys: KeptKeys = try opened(data, for: "keys \(id.text)")
        guard let toHub = SealingKey(Array(keys.toHub)), let toApp = SealingKey(Array(keys.toApp)) else {
            throw Self.unknown("keys")
        }
        return PairedApp(id, callback: app.callback, keys: SealingKeys(toHub: toHub, toApp: toApp))
    }

    /// From now on its messages are refused, and it is told so.
    package func revoke(_ id: AppID, at now: Int64) throws {
        try store.writeNow { database in
            try database.execute(
                sql: "UPDATE app SET revoked = coalesce(revoked, ?) WHERE id = ?",
                arguments: [now, id.text]
            )
            guard database.changesCount == 1 else { throw Self.unknownApp(id) }
            try Self.forgetContent(of: id, database)
        }
    }

    /// Forgets it; its messages find nobody any more. Its nonces stay until they expire.
    package func remove(_ id: AppID) throws {
        try store.writeNow { database in
            try Self.remove(id, database)
            guard database.changesCount == 1 else { throw Self.unknownApp(id) }
        }
    }

    /// Takes the place of whoever has this callback.
    func insert(_ paired: HubPairing.Paired, at now: Int64, _ database: Database) throws {
        let sql = "SELECT id FROM app WHERE callback = ?"
        let callback = paired.app.callback.name
        for text in try String.fetchAll(database, sql: sql, arguments: [callback]) {
            if let id = AppID(text) { try Self.remove(id, database) }
        }
        let id = paired.app.id
        let keys = KeptKeys(
            toHub: Data(paired.app.keys.toHub.bytes),
            toApp: Data(paired.app.keys.toApp.bytes)
        )
        try database.execute(
            sql: "INSERT INTO app (id, name, callback, granted, keys, paired) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                id.text, paired.hello.name, callback,
                String(decoding: try SchemeWriter.bytes(paired.hello.asked), as: UTF8.self),
                try sealed(keys, for: "keys \(id.text)"), now,
            ]
        )
    }

    private static func remove(_ id: AppID, _ database: Database) throws {
        try forgetContent(of: id, database)
        for table in ["told", "cancelled"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE app = ?", arguments: [id.text])
        }
        try database.execute(sql: "DELETE FROM app WHERE id = ?", arguments: [id.text])
    }

    private static func forgetContent(of id: AppID, _ database: Database) throws {
        for table in ["part", "answer"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE app = ?", arguments: [id.text])
        }
    }

    static func app(_ row: Row) throws -> SchemeApp {
        guard let id = AppID(row["id"] as String) else { throw unknown("app") }
        let granted: [String: SchemeReach]
        do {
            let text: String = row["granted"]
            granted = try JSONDecoder().decode([String: SchemeReach].self, from: Data(text.utf8))
        } catch { throw unknown("granted", error) }
        return SchemeApp(
            id: id,
            name: row["name"],
            callback: try CallbackScheme(row["callback"] as String),
            granted: granted,
            paired: row["paired"],
            revoked: row["revoked"],
            uses: row["uses"]
        )
    }

    private static func unknownApp(_ id: AppID) -> BreezeError {
        BreezeError(
            BreezeError.Code(rawValue: "unknown_app"),
            "There is no paired app \(id.text).",
            remedy: "List them: breeze apps"
        )
    }
}
#endif
