#if Hub
package import GRDB

/// What one feature keeps in its file, and how a file of an earlier release becomes one of this release.
package struct StoreSchema: Sendable {
    /// One step up. It runs in a transaction of its own together with the note that it ran.
    package typealias Step = @Sendable (Database) throws -> Void

    /// What the file holds, as a person says it: `the apps`. For messages.
    package let content: String
    /// `steps[0]` makes version 1 from an empty file, `steps[n]` makes version n + 1 from n. A step that was
    /// released never changes.
    package let steps: [Step]
    /// What each connection needs that the file does not hold, such as functions.
    let prepare: Step

    package init(_ content: String, steps: [Step], prepare: @escaping Step = { _ in }) {
        (self.content, self.steps, self.prepare) = (content, steps, prepare)
    }

    package var version: Int { steps.count }

    /// `BRZE`, by which SQLite's header tells our files from other programs'.
    static let applicationID = 0x4252_5A45

    /// Refuses a file that is not for this release, and leaves it as it is: a pool would write to it at once.
    func inspect(_ path: String, _ configuration: Configuration) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { try check($0, path: path) }
        try queue.close()
    }

    /// Brings the file to ``version``. Several processes may do it at once.
    func migrate(_ pool: DatabasePool, path: String) throws {
        for (index, step) in steps.enumerated() {
            try pool.write { database in
                // Another process may have been here in the meantime.
                try check(database, path: path)
                guard try Self.version(of: database) == index else { return }
                try step(database)
                try database.execute(
                    sql: "PRAGMA user_version = \(index + 1); PRAGMA application_id = \(Self.applicationID)"
                )
            }
        }
    }

    private func check(_ database: Database, path: String) throws {
        let theirs = try Self.version(of: database)
        guard theirs <= version else {
            throw StoreFault.newer(path, content: content, theirs: theirs, ours: version)
        }
        let isEmpty = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
        guard isEmpty || application == Self.applicationID else { throw StoreFault.foreign(path) }
    }

    private static func version(of database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    }
}
#endif
