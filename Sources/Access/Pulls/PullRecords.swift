#if Hub
import Foundation
import GRDB

/// Pulls in the file: one a set of terms.
enum PullRecords {
    static func all(_ database: Database) throws -> [PullRequest] {
        try Row.fetchAll(database, sql: "SELECT * FROM pull ORDER BY created, id").map(request)
    }

    static func find(_ terms: PullTerms, _ database: Database) throws -> PullRequest? {
        let text = try JSONColumn.text(terms)
        return try Row.fetchOne(database, sql: "SELECT * FROM pull WHERE terms = ?", arguments: [text])
            .map(request)
    }

    static func find(_ id: String, _ database: Database) throws -> PullRequest {
        guard let row = try Row.fetchOne(database, sql: "SELECT * FROM pull WHERE id = ?", arguments: [id])
        else {
            throw AccessFault.invalid("There is no request for a download with this id.")
        }
        return try request(row)
    }

    static func waiting(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM pull WHERE state = 'waiting'") ?? 0
    }

    static func insert(_ request: PullRequest, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO pull VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                request.id, try JSONColumn.text(request.terms), request.app, request.created.milliseconds,
                request.state.rawValue, request.decided?.milliseconds,
            ]
        )
    }

    static func update(_ request: PullRequest, _ database: Database) throws {
        try database.execute(
            sql: "UPDATE pull SET state = ?, decided = ? WHERE id = ?",
            arguments: [request.state.rawValue, request.decided?.milliseconds, request.id]
        )
    }

    private static func request(_ row: Row) throws -> PullRequest {
        guard let state = PullRequest.State(rawValue: row["state"]) else { throw JSONColumn.unknown("state") }
        return PullRequest(
            id: row["id"],
            terms: try JSONColumn.value(row["terms"]),
            app: row["app"],
            created: Date(milliseconds: row["created"]),
            state: state,
            decided: AppRecords.date(row["decided"])
        )
    }
}
#endif
