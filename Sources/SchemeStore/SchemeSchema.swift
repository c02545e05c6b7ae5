#if Hub
import BreezeStore
import GRDB

/// What the file holds. Times are the hub's, in milliseconds since 1970; a `BLOB` that is not a nonce is sealed.
enum SchemeSchema {
    static let schema = StoreSchema("the apps that are paired over the URL scheme", steps: [version1])

    private static let version1: StoreSchema.Step = { database in
        try database.execute(
            sql: """
                CREATE TABLE app (
                    id TEXT PRIMARY KEY, name TEXT NOT NULL, callback TEXT NOT NULL UNIQUE,
                    granted TEXT NOT NULL, keys BLOB NOT NULL, paired INTEGER NOT NULL, revoked INTEGER,
                    uses INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE TABLE nonce (
                    app TEXT NOT NULL, nonce BLOB NOT NULL CHECK (length(nonce) = 12),
                    expiry INTEGER NOT NULL, PRIMARY KEY (app, nonce)
                ) STRICT, WITHOUT ROWID;
                CREATE INDEX nonceByExpiry ON nonce (expiry);
                CREATE TABLE told (app TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT;
                CREATE TABLE part (app TEXT PRIMARY KEY, content BLOB NOT NULL, time INTEGER NOT NULL) STRICT;
                CREATE TABLE answer (app TEXT PRIMARY KEY, content BLOB NOT NULL, time INTEGER NOT NULL) STRICT;
                CREATE TABLE cancelled (
                    app TEXT NOT NULL, request TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (app, request)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE ended (question TEXT PRIMARY KEY, time INTEGER NOT NULL) STRICT;
                CREATE TABLE question (
                    id TEXT PRIMARY KEY, content BLOB NOT NULL, answer TEXT, time INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE pairing (
                    one INTEGER PRIMARY KEY CHECK (one = 1), content BLOB NOT NULL, time INTEGER NOT NULL
                ) STRICT;
                CREATE TABLE value (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT;
                """
        )
    }

    /// How long the rows of a table mean something, in milliseconds; `time` says from when.
    private static let spans: [(table: String, span: Int64)] = [
        ("part", 300_000), ("answer", 300_000), ("cancelled", 600_000), ("ended", 600_000),
        ("pairing", 240_000),
    ]

    /// Deletes what means nothing any more, and what is from a time far to come: the clock went back.
    static func sweep(_ database: Database, at now: Int64) throws {
        for (table, span) in spans {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE abs(? - time) >= ?",
                arguments: [now, span]
            )
        }
    }
}
#endif
