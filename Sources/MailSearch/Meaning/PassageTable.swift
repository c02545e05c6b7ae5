#if Hub
import BreezeMail
import BreezeMailIndex
import GRDB

/// A passage without a vector.
struct OpenPassage: Sendable {
    var id: PassageID
    /// With its sender and its subject.
    var text: String
}

/// The table `passage`, by which the queue knows what is done: `encoder` is null until a passage was embedded, `vector`
/// also where the encoder did not take it.
struct PassageTable: Sendable {
    private let index: MailIndex
    private static let splitAtOnce = 500

    init(_ index: MailIndex) {
        self.index = index
    }

    // MARK: - Splitting

    /// Splits messages that came since the last time.
    func split() async throws {
        while try await splitSome() { try Task.checkCancellation() }
    }

    private func splitSome() async throws -> Bool {
        try await index.write { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT id, body FROM text WHERE id > (SELECT value FROM fact WHERE name = 'lastSplit') "
                    + "ORDER BY id LIMIT ?",
                arguments: [Self.splitAtOnce]
            )
            guard let last = rows.last else { return false }
            let insert = try database.cachedStatement(
                sql: "INSERT OR IGNORE INTO passage (message, number, start, length) VALUES (?, ?, ?, ?)"
            )
            for row in rows {
                let passages = PassageSplitter.passages(PassageSplitter.ownText(row[1]))
                for (number, passage) in passages.enumerated() {
                    try insert.execute(arguments: [row[0] as Int64, number, passage.start, passage.length])
                }
            }
            try database.execute(
                sql: "UPDATE fact SET value = ? WHERE name = 'lastSplit'",
                arguments: [last[0] as Int64]
            )
            return true
        }
    }

    /// All vectors are another encoder's; where the rules of splitting are others too, so are the passages.
    static func reset(_ database: Database, isSplitAnew: Bool) throws {
        try database.execute(
            sql: isSplitAnew
                ? "DELETE FROM passage; UPDATE fact SET value = 0 WHERE name = 'lastSplit'"
                : "UPDATE passage SET encoder = NULL, vector = NULL WHERE encoder IS NOT NULL"
        )
    }

    // MARK: - What is to be done

    func progress(failed: Int) async throws -> EmbeddingProgress {
        try await index.read { database in
            func count(_ condition: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM passage WHERE \(condition)") ?? 0
            }
            var progress = EmbeddingProgress()
            progress.total = try count("true")
            progress.firstTotal = try count("number = 0")
            progress.done = progress.total - (try count("encoder IS NULL"))
            progress.firstDone = progress.firstTotal - (try count("encoder IS NULL AND number = 0"))
            progress.failed = failed
            return progress
        }
    }

    /// Those of the newest messages first.
    func open(isFirst: Bool, limit: Int) async throws -> [OpenPassage] {
        try await open("number \(isFirst ? "= 0" : "> 0") ORDER BY message DESC, number LIMIT \(limit)")
    }

    func open(firstOf messages: [Int64]) async throws -> [OpenPassage] {
        try await open("number = 0 AND message IN (\(messages.map(String.init).joined(separator: ",")))")
    }

    private func open(_ rest: String) async throws -> [OpenPassage] {
        try await index.read { database in
            let rows = try Row.fetchAll(
                database,
                sql:
                    "SELECT message, number, start, length, subject, body, sender FROM passage JOIN text ON text.id = message "
                    + "WHERE encoder IS NULL AND \(rest)"
            )
            var own: (message: Int64, text: String)?
            return rows.map { row in
                let message: Int64 = row[0]
                let text =
                    own.flatMap { $0.message == message ? $0.text : nil }
                    ?? PassageSplitter.ownText(row[5])
                own = (message, text)
                let passage = MailPassage(start: row[2], length: row[3])
                return OpenPassage(
                    id: PassageID(message: message, number: row[1]),
                    text: PassageSplitter.text(passage, of: text, subject: row[4], sender: Self.name(row[6]))
                )
            }
        }
    }

    /// The first sender's, as it is read; of one without a name the address.
    static func name(_ senders: String) -> String {
        AddressLine.addresses(senders).first.map { name($0) } ?? ""
    }

    static func name(_ sender: MailAddress) -> String { sender.name ?? sender.address }

    /// Marks them as done; `vectors` are the ids of those that have one.
    /// - Returns: ids of vectors whose message is gone.
    func finish(_ passages: [OpenPassage], with vectors: [Int64]) async throws -> Set<Int64> {
        let has = Set(vectors)
        return try await index.write { database in
            guard let fact = try EncoderFact.read(database) else { return has }
            let update = try database.cachedStatement(
                sql: "UPDATE passage SET encoder = ?, vector = ? WHERE message = ? AND number = ?"
            )
            var stale: Set<Int64> = []
            for passage in passages {
                let id = passage.id.rawValue
                try update.execute(arguments: [
                    fact.model, has.contains(id) ? id : nil, passage.id.message, passage.id.number,
                ])
                if database.changesCount == 0, has.contains(id) { stale.insert(id) }
            }
            return stale
        }
    }
}
#endif
