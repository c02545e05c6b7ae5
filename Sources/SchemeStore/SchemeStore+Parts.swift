#if Hub
package import BreezeScheme
import BreezeStore
import Foundation
import GRDB

extension SchemeStore: PartShelf {
    private struct KeptParts: Codable {
        let digest, content: Data
        let count, next: Int
        let time: Int64
    }

    package func takeParts(of app: AppID) throws -> PartSet? {
        let kept: KeptParts? = try store.writeNow { database in
            let sql = "DELETE FROM part WHERE app = ? RETURNING content"
            guard let data = try Data.fetchOne(database, sql: sql, arguments: [app.text]) else { return nil }
            return try self.opened(data, for: "part \(app.text)")
        }
        return kept.map { kept in
            PartSet(
                digest: Array(kept.digest),
                count: kept.count,
                content: Array(kept.content),
                next: kept.next,
                time: kept.time
            )
        }
    }

    package func putParts(_ parts: PartSet, of app: AppID) throws {
        let kept = KeptParts(
            digest: Data(parts.digest),
            content: Data(parts.content),
            count: parts.count,
            next: parts.next,
            time: parts.time
        )
        try put("part", try sealed(kept, for: "part \(app.text)"), of: app, at: parts.time)
    }

    /// The parts of an answer that the app has yet to ask for, as ``MessageParts/cut(_:)`` made them; one set an app.
    package func keepAnswer(_ parts: [[UInt8]], of app: AppID, at now: Int64) throws {
        let content = try sealed(parts.map { Data($0) }, for: "answer \(app.text)")
        try put("answer", content, of: app, at: now)
    }

    /// A part of the answer that was kept for this app; `nil` where it is none of its own, or over. With its last part
    /// the answer goes.
    package func answerPart(_ number: Int, digest: [UInt8], of app: AppID, at now: Int64) throws -> [UInt8]? {
        try store.writeNow { database in
            try SchemeSchema.sweep(database, at: now)
            let sql = "SELECT content FROM answer WHERE app = ?"
            guard let data = try Data.fetchOne(database, sql: sql, arguments: [app.text]) else { return nil }
            let parts: [Data] = try self.opened(data, for: "answer \(app.text)")
            guard parts.indices.contains(number), parts[number].starts(with: digest) else { return nil }
            if number + 1 == parts.count {
                try database.execute(sql: "DELETE FROM answer WHERE app = ?", arguments: [app.text])
            } else {
                try database.execute(
                    sql: "UPDATE answer SET time = ? WHERE app = ?",
                    arguments: [now, app.text]
                )
            }
            return Array(parts[number])
        }
    }

    private func put(_ table: String, _ content: Data, of app: AppID, at time: Int64) throws {
        try store.writeNow { database in
            try database.execute(
                sql: "INSERT INTO \(table) (app, content, time) VALUES (?, ?, ?) "
                    + "ON CONFLICT DO UPDATE SET content = excluded.content, time = excluded.time",
                arguments: [app.text, content, time]
            )
        }
    }
}
#endif
