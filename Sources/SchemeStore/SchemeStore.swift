#if Hub
import BreezeCore
import BreezeScheme
import BreezeStore
package import Foundation
import GRDB

/// What hub and handler know together of the URL scheme: paired apps, taken messages, who may be asked what.
///
/// One file for all processes of its owner at once. Every change is one transaction, and on the disk when the call
/// returns. Calls block their thread; ``perform(_:)`` is for tasks.
package final class SchemeStore: Sendable {
    /// What a person should know about how the file was opened; mostly empty.
    package let notices: [String]
    let store: Store
    let box: KeyBox
    private let queue = DispatchQueue(label: "breeze.scheme")

    /// Opens or makes the file, and its key beside it with `.key` for an extension. A damaged file is moved aside,
    /// named after `now`; then no app is paired any more, so that nothing that it remembered can be repeated.
    /// - Throws: ``BreezeError`` `.newerSchema` where a later release wrote it, `.invalidFile` where apps are paired
    ///   and their key is gone.
    package init(_ file: URL, now: @escaping @Sendable () -> Date = { Date() }) throws {
        store = try Store.open(file, schema: SchemeSchema.schema, now: now)
        notices = [store.movedAside?.notice(of: SchemeSchema.schema.content)].compactMap(\.self)
        let isNeeded = try store.readNow {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM app)") ?? false
        }
        box = try KeyBox(file.deletingPathExtension().appendingPathExtension("key"), isNeeded: isNeeded)
    }

    /// Nothing can be read or written after.
    package func close() throws { try store.close() }

    /// Calls of other methods, on a thread that may wait. What began runs to its end, whatever becomes of the task.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SchemeStore) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(self) }) }
        }
    }

    // MARK: - Values of which there is one

    static func value<Value: Decodable>(_ name: String, _ database: Database) throws -> Value? {
        let sql = "SELECT value FROM value WHERE name = ?"
        guard let text = try String.fetchOne(database, sql: sql, arguments: [name]) else { return nil }
        do { return try JSONDecoder().decode(Value.self, from: Data(text.utf8)) } catch {
            throw unknown(name, error)
        }
    }

    static func put(_ name: String, _ value: some Encodable, _ database: Database) throws {
        let text = String(decoding: try SchemeWriter.bytes(value), as: UTF8.self)
        try database.execute(
            sql:
                "INSERT INTO value (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [name, text]
        )
    }

    // MARK: - Values that are sealed

    func sealed(_ value: some Encodable, for place: String) throws -> Data {
        try box.seal(SchemeWriter.bytes(value), for: place)
    }

    func opened<Value: Decodable>(_ data: Data, for place: String) throws -> Value {
        let bytes = try box.open(data, for: place)
        do { return try JSONDecoder().decode(Value.self, from: Data(bytes)) } catch {
            throw Self.unknown(place, error)
        }
    }

    static func unknown(_ what: String, _ error: (any Error)? = nil) -> BreezeError {
        BreezeError(
            .invalidFile,
            "The file with the paired apps holds a record that this Breeze does not know (\(what)).",
            remedy: "Update Breeze.",
            underlying: error
        )
    }
}
#endif
