#if Hub
package import BreezeScheme
import BreezeStore
import Foundation
import GRDB

/// Where a process that waits for the owner puts its question, and the panel or the terminal finds it.
extension SchemeStore {
    package struct StandingQuestion: Codable, Hashable, Sendable, Identifiable {
        package let id: String
        package let question: OwnerQuestion
        /// When it was put there.
        package let time: Int64
    }

    /// `now` is the system's clock, here and in ``questions(at:)``: those who show do not know the hub's time.
    package func post(_ question: OwnerQuestion, as id: String, at now: Int64) throws {
        let content = try sealed(question, for: "question \(id)")
        try store.writeNow { database in
            // Of processes that were killed.
            try database.execute(
                sql: "DELETE FROM question WHERE abs(? - time) >= ?",
                arguments: [now, HubPairing.decisionWithin]
            )
            try database.execute(
                sql: "INSERT INTO question (id, content, time) VALUES (?, ?, ?)",
                arguments: [id, content, now]
            )
        }
    }

    /// What the owner has not answered, the oldest first.
    package func questions(at now: Int64) throws -> [StandingQuestion] {
        let rows = try store.readNow { database in
            try Row.fetchAll(database, sql: "SELECT * FROM question WHERE answer IS NULL ORDER BY time, id")
        }
        return try rows.compactMap { row in
            let id: String = row["id"]
            let time: Int64 = row["time"]
            let question: OwnerQuestion = try opened(row["content"], for: "question \(id)")
            let patience =
                switch question {
                case .run: QuestionLine.patience
                case .pair: HubPairing.decisionWithin
                }
            // Whoever put it there may have been killed.
            guard QuestionLine.isWithin(patience, of: time, now) else { return nil }
            return StandingQuestion(id: id, question: question, time: time)
        }
    }

    /// The owner's answer; the first one counts.
    /// - Returns: Whether the question stood.
    package func answer(_ id: String, _ answer: OwnerAnswer) throws -> Bool {
        try store.writeNow { database in
            try database.execute(
                sql: "UPDATE question SET answer = ? WHERE id = ? AND answer IS NULL",
                arguments: [answer.rawValue, id]
            )
            return database.changesCount == 1
        }
    }

    /// `nil` where the owner has not answered yet; a question that is gone was refused.
    package func ownersAnswer(to id: String) throws -> OwnerAnswer? {
        try store.readNow { database in
            let sql = "SELECT answer FROM question WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [id]) else { return .refuse }
            let text: String? = row["answer"]
            return text.map { OwnerAnswer(rawValue: $0) ?? .refuse }
        }
    }

    package func withdraw(_ id: String) throws {
        try store.writeNow { try $0.execute(sql: "DELETE FROM question WHERE id = ?", arguments: [id]) }
    }

    // MARK: - Cancellations

    /// For whichever process runs the app's request of this id.
    package func cancel(_ request: String, of app: AppID, at now: Int64) throws {
        try store.writeNow { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO cancelled (app, request, time) VALUES (?, ?, ?)",
                arguments: [app.text, request, now]
            )
        }
    }

    /// Whether the app cancelled it since it began.
    package func isCancelled(_ request: String, of app: AppID, since start: Int64) throws -> Bool {
        try store.readNow { database in
            let sql = "SELECT EXISTS (SELECT 1 FROM cancelled WHERE app = ? AND request = ? AND time >= ?)"
            return try Bool.fetchOne(database, sql: sql, arguments: [app.text, request, start]) ?? false
        }
    }
}
#endif
