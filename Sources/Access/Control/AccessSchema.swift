#if Hub
import BreezeStore
import GRDB

/// What the file holds. Times are milliseconds since 1970.
enum AccessSchema {
    static let schema = StoreSchema("the apps and the audit log", steps: [version1])

    private static let version1: StoreSchema.Step = { database in
        try database.execute(
            sql: """
                CREATE TABLE app (
                    id TEXT PRIMARY KEY, name TEXT NOT NULL, icon TEXT,
                    asked TEXT NOT NULL, granted TEXT NOT NULL, quota TEXT NOT NULL,
                    expires INTEGER, state TEXT NOT NULL, created INTEGER NOT NULL, decided INTEGER,
                    lastUsed INTEGER
                ) STRICT;
                CREATE TABLE key (
                    id TEXT PRIMARY KEY, app TEXT NOT NULL REFERENCES app (id) ON DELETE CASCADE,
                    label TEXT NOT NULL, digest BLOB NOT NULL CHECK (length(digest) = 32),
                    created INTEGER NOT NULL, expires INTEGER, revoked INTEGER, lastUsed INTEGER
                ) STRICT;
                CREATE INDEX keyOfApp ON key (app);
                CREATE TABLE use (
                    app TEXT NOT NULL, day INTEGER NOT NULL, requests INTEGER NOT NULL,
                    tokens INTEGER NOT NULL, computeSeconds REAL NOT NULL, PRIMARY KEY (app, day)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE audit (
                    id INTEGER PRIMARY KEY, time INTEGER NOT NULL, request TEXT NOT NULL, who TEXT NOT NULL,
                    app TEXT, uid INTEGER, action TEXT NOT NULL, capability TEXT, model TEXT, runner TEXT,
                    locality TEXT, outcome TEXT NOT NULL, error TEXT,
                    tokensIn INTEGER NOT NULL, tokensOut INTEGER NOT NULL,
                    bytesIn INTEGER NOT NULL, bytesOut INTEGER NOT NULL,
                    queueSeconds REAL NOT NULL, loadSeconds REAL NOT NULL,
                    runSeconds REAL NOT NULL, totalSeconds REAL NOT NULL, count INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX auditByTime ON audit (time);
                CREATE INDEX auditByApp ON audit (app, time) WHERE app IS NOT NULL;
                CREATE TABLE pull (
                    id TEXT PRIMARY KEY, terms TEXT NOT NULL UNIQUE, app TEXT, created INTEGER NOT NULL,
                    state TEXT NOT NULL, decided INTEGER
                ) STRICT;
                """
        )
    }
}
#endif
