#if Hub
import BreezeStore
import GRDB

/// What the file holds. Times of mail are seconds since 1970, times of files nanoseconds.
enum MailSchema {
    static let schema = StoreSchema(
        "the mail index",
        steps: [version1, version2, version3, version4, version5],
        prepare: WordScore.add
    )

    /// - `message` is one text, however many copies of it lie about; `place` is a copy; `directory` is what copies lie
    ///   in: a directory, an mbox file, or a lone file.
    /// - `directory.modified` is null until every message in it is here, and stays so where a change in the same
    ///   moment could have been missed.
    /// - `place.isGone` is set from when a copy is missed until the run's end, when it may have turned up elsewhere;
    ///   `loose` lists messages that lost a copy in between.
    /// - `text` is the content of the full-text index `words`, which keeps none of its own.
    /// - `passage` and `result` are filled by what works on indexed mail; both carry the version of the model that
    ///   made them.
    /// - `correction` is what the person said, by keys that hold in another index too.
    private static let version1: StoreSchema.Step = { database in
        try database.execute(
            sql: """
                CREATE TABLE source (path TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
                CREATE TABLE directory (
                    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL,
                    folder TEXT NOT NULL, modified INTEGER, size INTEGER NOT NULL DEFAULT 0, head BLOB
                ) STRICT;
                CREATE TABLE message (
                    id INTEGER PRIMARY KEY, messageID TEXT NOT NULL, digest BLOB NOT NULL,
                    refs TEXT NOT NULL, inReplyTo TEXT NOT NULL, baseSubject TEXT NOT NULL,
                    isReply INTEGER NOT NULL, date INTEGER, zone INTEGER, list TEXT, size INTEGER NOT NULL,
                    textRead INTEGER NOT NULL, textSize INTEGER NOT NULL, hidden INTEGER NOT NULL,
                    attachments TEXT, notices TEXT, thread INTEGER
                ) STRICT;
                CREATE INDEX messageByID ON message (messageID);
                CREATE INDEX messageByDate ON message (date);
                CREATE INDEX messageByThread ON message (thread);
                CREATE TABLE place (
                    id INTEGER PRIMARY KEY, message INTEGER NOT NULL REFERENCES message (id),
                    directory INTEGER NOT NULL REFERENCES directory (id), name TEXT NOT NULL,
                    start INTEGER, length INTEGER, quoting TEXT, flags TEXT NOT NULL,
                    inode INTEGER NOT NULL, size INTEGER NOT NULL, modified INTEGER NOT NULL,
                    isGone INTEGER NOT NULL DEFAULT 0
                ) STRICT;
                CREATE INDEX placeByMessage ON place (message);
                CREATE INDEX placeByDirectory ON place (directory);
                CREATE INDEX placeByInode ON place (inode);
                CREATE INDEX placeGone ON place (id) WHERE isGone;
                CREATE TABLE loose (message INTEGER PRIMARY KEY) STRICT;
                CREATE TABLE text (
                    id INTEGER PRIMARY KEY REFERENCES message (id), subject TEXT NOT NULL,
                    sender TEXT NOT NULL, recipients TEXT NOT NULL, copies TEXT NOT NULL,
                    files TEXT NOT NULL, body TEXT NOT NULL
                ) STRICT;
                CREATE VIRTUAL TABLE words USING fts5 (
                    subject, sender, recipients, copies, files, body,
                    content = 'text', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
                );
                CREATE TABLE thread (
                    id INTEGER PRIMARY KEY, subject TEXT NOT NULL, messages INTEGER NOT NULL,
                    first INTEGER, last INTEGER
                ) STRICT;
                CREATE TABLE passage (
                    message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
                    number INTEGER NOT NULL, start INTEGER NOT NULL, length INTEGER NOT NULL,
                    encoder TEXT, vector INTEGER, PRIMARY KEY (message, number)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE result (
                    message INTEGER NOT NULL REFERENCES message (id) ON DELETE CASCADE,
                    kind TEXT NOT NULL, model TEXT NOT NULL, version TEXT NOT NULL, value TEXT NOT NULL,
                    made INTEGER NOT NULL, PRIMARY KEY (message, kind)
                ) STRICT, WITHOUT ROWID;
                CREATE TABLE correction (
                    kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, made INTEGER NOT NULL,
                    PRIMARY KEY (kind, key)
                ) STRICT, WITHOUT ROWID;
                """
        )
    }

    /// What a search needs besides: threads by name, and fields that are looked up without reading messages.
    ///
    /// - `fact` holds what the file says of itself: `identity` tells it from every other index, so that vectors beside
    ///   it are known to be its own; `lastMessage` is the highest id of a message that was removed, since no id is given
    ///   twice; `lastSplit` is the last message that was split into passages.
    private static let version2: StoreSchema.Step = { database in
        try database.execute(
            sql: """
                CREATE TABLE fact (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
                INSERT INTO fact VALUES
                    ('identity', lower(hex(randomblob(8)))), ('lastMessage', 0), ('lastSplit', 0);
                ALTER TABLE message ADD COLUMN links INTEGER;
                ALTER TABLE thread ADD COLUMN name TEXT NOT NULL DEFAULT '';
                UPDATE message SET thread = NULL,
                    links = (SELECT body LIKE '%://%' FROM text WHERE text.id = message.id);
                CREATE INDEX threadByName ON thread (name);
                CREATE INDEX messageBySize ON message (size);
                CREATE INDEX messageByList ON message (list) WHERE list IS NOT NULL;
                CREATE INDEX messageWithFiles ON message (id) WHERE attachments IS NOT NULL;
                CREATE INDEX messageWithLinks ON message (id) WHERE links > 0;
                CREATE INDEX resultCategory ON result (value) WHERE kind = 'category';
                CREATE INDEX passageOpen ON passage (number) WHERE encoder IS NULL;
                DROP INDEX placeByMessage;
                CREATE INDEX placeByMessage ON place (message, flags, directory);
                """
        )
    }

    /// `fact.changes` counts with each transaction of a run that changes something: what a search keeps of messages,
    /// copies, flags and folders holds until then.
    private static let version3: StoreSchema.Step = { database in
        let count = "BEGIN UPDATE fact SET value = value + 1 WHERE name = 'changes'; END"
        try database.execute(
            sql: """
                INSERT INTO fact VALUES ('changes', 0);
                CREATE TRIGGER messageCame AFTER INSERT ON message \(count);
                CREATE TRIGGER messageWent AFTER DELETE ON message \(count);
                CREATE TRIGGER placeCame AFTER INSERT ON place \(count);
                CREATE TRIGGER placeWent AFTER DELETE ON place \(count);
                CREATE TRIGGER placeChanged AFTER UPDATE OF message, directory, flags ON place \(count);
                CREATE TRIGGER directoryChanged AFTER UPDATE OF path, kind, folder ON directory \(count);
                """
        )
    }

    /// Counting row by row took a fifth of a run: the transactions count themselves.
    private static let version4: StoreSchema.Step = { database in
        for trigger in [
            "messageCame", "messageWent", "placeCame", "placeWent", "placeChanged", "directoryChanged",
        ] {
            try database.execute(sql: "DROP TRIGGER \(trigger)")
        }
    }

    /// What judges mail looks up: messages of a sender, and those that are warned of. `correction.lesson` is what is
    /// learned from the owner's word, also when the message is gone.
    private static let version5: StoreSchema.Step = { database in
        try database.execute(
            sql: """
                CREATE INDEX resultSender ON result (value) WHERE kind = 'sender';
                CREATE INDEX resultWarning ON result (value) WHERE kind = 'warning';
                ALTER TABLE correction ADD COLUMN lesson TEXT;
                """
        )
    }
}
#endif
