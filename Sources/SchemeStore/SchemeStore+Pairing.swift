#if Hub
import BreezeCore
package import BreezeScheme
import BreezeStore
import Foundation
import GRDB

/// The one pairing of the device, which goes from process to process: each of its steps is another URL.
///
/// `now` is looked up within the transaction, so that no process goes by an earlier time than the one before it.
extension SchemeStore {
    /// What the owner compares, and the apps whose place the new one would take.
    package struct Revealed: Sendable {
        package let question: HubPairing.Question
        package let replaced: [SchemeApp]
    }

    /// - Returns: The answer to the app, with the offer.
    /// - Throws: ``SchemeRefusal`` `rate_limited`.
    package func begin(_ hello: PairingHello, at now: @autoclosure () -> Int64) throws -> SchemeAnswer {
        try changePairing(at: now()) { pairing, database, now in
            let id = try Self.freeID(database)
            do { return .success(try pairing.take(hello, at: now, app: id)) } catch { return .failure(error) }
        }
    }

    /// - Throws: ``SchemeRefusal`` `pairing_failed`; whatever is wrong ends the pairing.
    package func reveal(_ reveal: [UInt8], at now: @autoclosure () -> Int64) throws -> Revealed {
        try changePairing(at: now()) { pairing, database, now in
            let question: HubPairing.Question
            do { question = try pairing.take(reveal: reveal, at: now) } catch { return .failure(error) }
            let sql = "SELECT * FROM app WHERE callback = ?"
            let rows = try Row.fetchAll(database, sql: sql, arguments: [question.hello.callback.name])
            return .success(Revealed(question: question, replaced: try rows.map(Self.app)))
        }
    }

    /// The owner's yes to the pairing of this id, which is then kept, with its keys.
    /// - Throws: ``BreezeError`` `.pairingFailed` where nothing waits for it.
    package func approve(_ app: AppID, at now: @autoclosure () -> Int64) throws -> HubPairing.Paired {
        try changePairing(at: now()) { pairing, database, now in
            let paired: HubPairing.Paired
            do {
                // Another one may have taken its place.
                guard pairing.awaited == app else { throw SchemeFault.pairing("none waits for this") }
                paired = try pairing.approve(at: now)
            } catch { return .failure(error) }
            try self.insert(paired, at: now, database)
            return .success(paired)
        }
    }

    /// The owner's no, or no answer.
    /// - Returns: What the app is told; `nil` where nothing waits for it.
    package func refusePairing(_ app: AppID, at now: @autoclosure () -> Int64) throws -> (
        SchemeAnswer, CallbackScheme
    )? {
        try changePairing(at: now()) { pairing, _, _ in
            .success(pairing.awaited == app ? pairing.refuse() : nil)
        }
    }

    /// What `body` returns as a failure is a decision as well, and the state that it leaves is kept. What it throws
    /// undoes everything.
    private func changePairing<Value>(
        at now: @autoclosure () -> Int64,
        _ body: (inout HubPairing, Database, Int64) throws -> Result<Value, any Error>
    ) throws -> Value {
        try store.writeNow { database in
            let now = now()
            try SchemeSchema.sweep(database, at: now)
            var pairing = HubPairing()
            if let data = try Data.fetchOne(database, sql: "SELECT content FROM pairing") {
                pairing = try self.opened(data, for: "pairing")
            }
            let result = try body(&pairing, database, now)
            try database.execute(
                sql: "INSERT INTO pairing (one, content, time) VALUES (1, ?, ?) "
                    + "ON CONFLICT DO UPDATE SET content = excluded.content, time = excluded.time",
                arguments: [try self.sealed(pairing, for: "pairing"), now]
            )
            return result
        }.get()
    }

    /// One that no pairing has.
    private static func freeID(_ database: Database) throws -> AppID {
        while true {
            let id = AppID.random()
            let sql = "SELECT EXISTS (SELECT 1 FROM app WHERE id = ?)"
            guard try Bool.fetchOne(database, sql: sql, arguments: [id.text]) == true else { return id }
        }
    }
}
#endif
