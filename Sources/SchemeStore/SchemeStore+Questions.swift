#if Hub
package import BreezeScheme
import BreezeStore
import Foundation
import GRDB

/// Who may have the owner asked, for all processes together.
///
/// `now` is looked up within the transaction, so that no process goes by an earlier time than the one before it.
extension SchemeStore {
    /// Where a request stands that waits for the owner.
    package enum Standing: Hashable, Sendable {
        case waits
        /// It is to be shown now.
        case asks
        /// It ended without a yes: its time is over, or others were refused.
        case ended
    }

    /// A sound plain request came; `id` is the hub's own name for it.
    /// - Throws: ``BreezeError`` `.notPaired`, `.rateLimited`.
    package func enterLine(_ id: String, from callback: CallbackScheme, at now: @autoclosure () -> Int64)
        throws
    {
        try changeLine(at: now()) { line, now in Result { _ = try line.add(id, from: callback, at: now) } }
    }

    package func standing(of id: String, at now: @autoclosure () -> Int64) throws -> Standing {
        try changeLine(at: now()) { line, now in
            .success(line.next(at: now) == id)
        } read: { asks, database in
            let sql = "SELECT EXISTS (SELECT 1 FROM ended WHERE question = ?)"
            if try Bool.fetchOne(database, sql: sql, arguments: [id]) == true { return .ended }
            return asks ? .asks : .waits
        }
    }

    /// The owner answered what stood before him, or did not. `false` where it stands no longer: then nothing runs.
    package func leaveLine(_ id: String, _ answer: QuestionLine.Answer, at now: @autoclosure () -> Int64)
        throws -> Bool
    {
        try changeLine(at: now()) { line, now in .success(line.answer(id, answer, at: now)) }
    }

    /// Whether an answer may go to a caller that is not paired and for which the owner said no yes.
    package func takeOpening(at now: @autoclosure () -> Int64) throws -> Bool {
        try changeBudget { $0.takeAnswer(at: now()) }
    }

    package func takeSettings(at now: @autoclosure () -> Int64) throws -> Bool {
        try changeBudget { $0.takeSettings(at: now()) }
    }

    private func changeBudget(_ body: (inout OpeningBudget) -> Bool) throws -> Bool {
        try store.writeNow { database in
            var budget = try Self.value("openings", database) ?? OpeningBudget()
            guard body(&budget) else { return false }
            try Self.put("openings", budget, database)
            return true
        }
    }

    private func changeLine<Value>(
        at now: @autoclosure () -> Int64,
        _ body: (inout QuestionLine, Int64) -> Result<Value, any Error>
    ) throws -> Value {
        try changeLine(at: now(), body) { value, _ in value }
    }

    /// A failure is a decision as well, and the state that it leaves is kept.
    private func changeLine<Value, Read>(
        at now: @autoclosure () -> Int64,
        _ body: (inout QuestionLine, Int64) -> Result<Value, any Error>,
        read: (Value, Database) throws -> Read
    ) throws -> Read {
        try store.writeNow { database -> Result<Read, any Error> in
            let before = try Self.value("line", database) ?? QuestionLine()
            var line = before
            let now = now()
            let result = body(&line, now)
            // Each process finds its own among them.
            for id in line.takeEnded(at: now) {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO ended (question, time) VALUES (?, ?)",
                    arguments: [id, now]
                )
            }
            if line != before {
                try Self.put("line", line, database)
                try SchemeSchema.sweep(database, at: now)
            }
            switch result {
            case .success(let value): return .success(try read(value, database))
            case .failure(let error): return .failure(error)
            }
        }.get()
    }
}
#endif
