#if Hub
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import Foundation
import GRDB

/// What an index keeps of verdicts, in its table `result`: under `verdict` the classifier's own, in JSON; under `sender`
/// who wrote; and under `category` and `warning` (`spam`, `phishing`) what comes of it with what the owner said.
struct ResultTable: Sendable {
    let index: MailIndex
    /// Of heads and rules.
    let version: String
    /// Whose vectors the heads take.
    let encoder: String

    /// Messages that are worked on at once.
    static let window = 256

    /// A message that is to be judged.
    struct Source: Sendable {
        var message: Int64
        /// Where a copy lies; `nil` for one that lies nowhere.
        var place: PageOrder?
        /// The beginning of its content's digest, in hexadecimal.
        var digest: String
        /// By what the index has of it.
        var facts: MailFacts
    }

    struct Entry: Sendable {
        var message: Int64
        var sender: String?
        var hasVector: Bool
        var verdict: MailVerdict
    }

    struct Kept: Sendable {
        var message: Int64
        var verdict: MailVerdict
        var traits: PersonalJudgement.Traits
    }

    // MARK: - What is to be done

    /// Messages below `last` without a verdict of this version, the newest first. With `isEmbedded` those alone whose
    /// first passage the encoder has seen.
    func stale(before last: Int64, isEmbedded: Bool) async throws -> [Int64] {
        let condition = isEmbedded ? "AND passage.encoder IS NOT NULL" : ""
        return try await index.read { [self] database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT message.id FROM message JOIN text ON text.id = message.id
                    LEFT JOIN passage ON passage.message = message.id AND passage.number = 0
                    LEFT JOIN result ON result.message = message.id AND result.kind = 'verdict'
                    WHERE message.id < ? AND \(Self.isStale) \(condition)
                    ORDER BY message.id DESC LIMIT \(Self.window)
                    """,
                arguments: [last, version, encoder]
            )
        }
    }

    func isStale(_ message: Int64) async throws -> Bool {
        try await index.read { [self] database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT \(Self.isStale) FROM message
                    LEFT JOIN passage ON passage.message = message.id AND passage.number = 0
                    LEFT JOIN result ON result.message = message.id AND result.kind = 'verdict'
                    WHERE message.id = ?
                    """,
                arguments: [version, encoder, message]
            ) ?? false
        }
    }

    /// What was judged without an encoder is judged again when there is a vector.
    private static let isStale =
        "(result.version IS NULL OR result.version <> ? OR (result.model = '' AND passage.vector IS NOT NULL "
        + "AND passage.encoder = ?))"

    /// Messages that were judged, and all of them.
    func progress() async throws -> (done: Int, total: Int) {
        try await index.read { [version] database in
            let done = try Int.fetchOne(
                database,
                sql: "SELECT count(*) FROM result WHERE kind = 'verdict' AND version = ?",
                arguments: [version]
            )
            return (done ?? 0, try Int.fetchOne(database, sql: "SELECT count(*) FROM message") ?? 0)
        }
    }

    /// Judged messages below `last`, the newest first.
    func judged(before last: Int64, limit: Int) async throws -> [Int64] {
        try await index.read { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT message FROM result WHERE kind = 'verdict' AND message < ?
                    ORDER BY message DESC LIMIT ?
                    """,
                arguments: [last, limit]
            )
        }
    }

    // MARK: - Reading

    /// Without those that are gone.
    func sources(_ messages: [Int64]) async throws -> [Source] {
        let places = try await index.places(of: messages)
        return try await index.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT message.id, subject, body, sender, list, lower(hex(digest)) FROM message
                    JOIN text ON text.id = message.id WHERE message.id IN (\(Self.list(messages)))
                    """
            )
            return rows.map { row in
                Source(
                    message: row[0],
                    place: places[row[0]],
                    digest: row[5],
                    facts: MailFacts(
                        subject: row[1],
                        text: row[2],
                        sender: AddressLine.addresses(row[3]).first,
                        list: row[4]
                    )
                )
            }
        }
    }

    /// Verdicts as they were kept, whatever their version; what cannot be read is left out.
    func kept(_ messages: [Int64]) async throws -> [Kept] {
        try await index.read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT message.id, verdict.value, messageID, sender.value, list, \(Self.earlier) FROM message
                    JOIN result AS verdict ON verdict.message = message.id AND verdict.kind = 'verdict'
                    LEFT JOIN result AS sender ON sender.message = message.id AND sender.kind = 'sender'
                    WHERE message.id IN (\(Self.list(messages)))
                    """
            )
            let decoder = JSONDecoder()
            var kept: [Kept] = []
            while let row = try rows.next() {
                guard let verdict = try? decoder.decode(MailVerdict.self, from: row[1] as Data) else {
                    continue
                }
                let traits = PersonalJudgement.Traits(
                    messageID: row[2],
                    sender: row[3],
                    list: row[4],
                    earlier: row[5]
                )
                kept.append(Kept(message: row[0], verdict: verdict, traits: traits))
            }
            return kept
        }
    }

    /// Of the sender, without those that are more likely unwanted than not.
    private static let earlier = """
        (SELECT count(*) FROM (SELECT 1 FROM result AS other JOIN message AS past ON past.id = other.message
            JOIN result AS said ON said.message = other.message AND said.kind = 'verdict'
            WHERE other.kind = 'sender' AND other.value = sender.value AND past.date < message.date
            AND said.value ->> '$.spam.score' < 0.5 AND said.value ->> '$.phishing.score' < 0.5
            LIMIT \(PersonalJudgement.mostEarlier)))
        """

    // MARK: - Writing

    func write(_ entries: [Entry]) async throws {
        let made = Int64(Date().timeIntervalSince1970)
        try await index.write { [version, encoder] database in
            let put = try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO result (message, kind, model, version, value, made)
                    SELECT :message, :kind, :model, :version, :value, :made
                    WHERE EXISTS (SELECT 1 FROM message WHERE id = :message)
                    """
            )
            let json = JSONEncoder()
            for entry in entries {
                func write(_ kind: String, _ value: String) throws {
                    try put.execute(arguments: [
                        "message": entry.message, "kind": kind, "model": entry.hasVector ? encoder : "",
                        "version": version, "value": value, "made": made,
                    ])
                }
                try write("verdict", String(decoding: json.encode(entry.verdict), as: UTF8.self))
                if let sender = entry.sender { try write("sender", sender) }
            }
        }
    }

    /// - Returns: how many messages have another category or warning now.
    func settle(_ verdicts: [(Int64, MailVerdict)]) async throws -> Int {
        try await index.write { [version] database in
            let made = Int64(Date().timeIntervalSince1970)
            let put = try database.cachedStatement(
                sql: """
                    INSERT INTO result (message, kind, model, version, value, made)
                    SELECT :message, :kind, '', :version, :value, :made
                    WHERE EXISTS (SELECT 1 FROM message WHERE id = :message)
                    ON CONFLICT DO UPDATE SET value = excluded.value, version = excluded.version, made = excluded.made
                    WHERE value <> excluded.value
                    """
            )
            let remove = try database.cachedStatement(
                sql: "DELETE FROM result WHERE message = ? AND kind = 'warning'"
            )
            var changed = 0
            for (message, verdict) in verdicts {
                func write(_ kind: String, _ value: String) throws -> Bool {
                    try put.execute(arguments: [
                        "message": message, "kind": kind, "version": version, "value": value, "made": made,
                    ])
                    return database.changesCount > 0
                }
                var isOther = try write("category", verdict.category.rawValue)
                if let warning = verdict.warning {
                    isOther = try write("warning", warning) || isOther
                } else {
                    try remove.execute(arguments: [message])
                    isOther = database.changesCount > 0 || isOther
                }
                changed += isOther ? 1 : 0
            }
            return changed
        }
    }

    private static func list(_ messages: [Int64]) -> String {
        messages.map(String.init).joined(separator: ",")
    }
}

extension MailVerdict {
    /// What a list says of it: phishing where it is both.
    package var warning: String? { phishing.flagged ? "phishing" : spam.flagged ? "spam" : nil }
}
#endif
