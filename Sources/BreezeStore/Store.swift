#if Hub
import BreezeCore
package import Foundation
package import GRDB
import Synchronization

/// One SQLite file of one feature: one writer and many readers at a time, among all processes.
///
/// The file is of mode 0600 in a folder of mode 0700. A change that was made is still there after a power
/// cut.
package final class Store: Sendable {
    package let url: URL
    package let schema: StoreSchema
    /// The damaged file that this one took the place of when it was opened.
    package let movedAside: MovedAside?
    private let pool: DatabasePool
    private let doubt: String
    private let presence: Mutex<StorePresence?>

    /// Opens or makes it, and brings it to the release's version. Blocks its thread, for seconds after a
    /// crash, when the whole file is checked. A damaged file gets its name by `now`.
    /// - Throws: ``BreezeError`` `.newerSchema` where a later release wrote it; then it is as it was.
    package static func open(
        _ url: URL,
        schema: StoreSchema,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Store {
        let place = try StorePlace(url)
        let presence = try StorePresence(place)
        try place.makeFile()
        // A damaged file is only moved where nobody else works with it.
        let aside = presence.isAlone() ? try StoreCheck(place: place, now: now).mend() : nil
        try presence.share()
        try place.makeFile()
        do {
            let configuration = configuration(schema)
            try schema.inspect(place.path, configuration)
            let pool = try DatabasePool(path: place.path, configuration: configuration)
            // The pool's own choice may lose the last changes in a power cut, and a revocation must not be lost.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try schema.migrate(pool, path: place.path)
            return Store(place: place, schema: schema, movedAside: aside, pool: pool, presence: presence)
        } catch let error as DatabaseError {
            throw StoreFault.wrap(error, path: place.path)
        }
    }

    private init(
        place: StorePlace,
        schema: StoreSchema,
        movedAside: MovedAside?,
        pool: DatabasePool,
        presence: consuming StorePresence
    ) {
        url = place.url
        doubt = place.doubt
        self.schema = schema
        self.movedAside = movedAside
        self.pool = pool
        self.presence = Mutex(presence)
    }

    private static func configuration(_ schema: StoreSchema) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.label = "breeze.store"
        configuration.prepareDatabase { database in
            // What is undone when a statement fails, and sorted, goes into no file of its own.
            try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY")
            try schema.prepare(database)
        }
        return configuration
    }

    /// One snapshot, whatever is written meanwhile.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await wrapping { try await self.pool.read(body) }
    }

    /// One transaction: all of it, or nothing where `body` throws. Nobody else writes between its first
    /// statement and its last.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await wrapping { try await self.pool.write(body) }
    }

    /// ``read(_:)`` on this thread, for what has to be there before anything else is.
    package func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try pool.read(body) } catch let error as DatabaseError { throw note(error) }
    }

    /// ``write(_:)`` on this thread, for what must be on the disk before its caller goes on. Blocks it for seconds where
    /// another process writes.
    package func writeNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try pool.write(body) } catch let error as DatabaseError { throw note(error) }
    }

    /// Differs from what it was where another process, or another ``Store``, has written since.
    package func foreignChanges() async throws -> Int {
        try await wrapping {
            try await self.pool.writeWithoutTransaction { database in
                try Int.fetchOne(database, sql: "PRAGMA data_version") ?? 0
            }
        }
    }

    /// A whole copy in one file, mode 0600, while others read and write.
    /// - Throws: ``BreezeError`` `.inputOutput` where `target` is there already.
    package func backup(to target: URL) async throws {
        guard access(target.path, F_OK) != 0 else { throw StoreFault.exists(target.path) }
        // GRDB copies on the thread that asks.
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(with: Result { try self.copy(to: target) })
            }
        }
    }

    private func copy(to target: URL) throws {
        let temporary = target.deletingLastPathComponent().appending(path: ".new-\(UUID().uuidString)")
        let file = Foundation.open(temporary.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreFault.system(target.path, errno) }
        defer { Foundation.close(file) }
        do {
            let copy = try DatabaseQueue(path: temporary.path)
            try pool.backup(to: copy)
            // Else the copy would still be one that is read along with a log beside it.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            guard fsync(file) == 0, rename(temporary.path, target.path) == 0 else {
                throw StoreFault.system(target.path, errno)
            }
        } catch {
            unlink(temporary.path)
            if let error = error as? DatabaseError { throw StoreFault.wrap(error, path: target.path) }
            throw error
        }
    }

    /// Takes the log of changes into the file. Nothing can be read or written after; a second time does
    /// nothing.
    package func close() throws {
        // SQLite ends the program where a file that was closed is to take its log in.
        guard presence.withLock({ $0 != nil }) else { return }
        do {
            // The pool closes its readers last, and SQLite has the last one out take the log in, which a reader cannot.
            // Where another process works with the file, the last of that one does it.
            _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
            try pool.close()
            presence.withLock { $0 = nil }
        } catch let error as DatabaseError {
            throw StoreFault.wrap(error, path: url.path)
        }
    }

    private func wrapping<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as DatabaseError { throw note(error) }
    }

    /// Damage that shows only now is looked into when the file is opened next.
    private func note(_ error: DatabaseError) -> BreezeError {
        if StoreFault.isDamage(error) {
            let file = Foundation.open(doubt, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            if file >= 0 { Foundation.close(file) }
        }
        return StoreFault.wrap(error, path: url.path)
    }
}
#endif
