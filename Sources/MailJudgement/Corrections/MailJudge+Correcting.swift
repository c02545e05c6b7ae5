#if Hub
import BreezeCore
import BreezeMail
package import BreezeMailClassifier
import BreezeMailIndex
import Foundation
import GRDB

extension MailJudge {
    /// What came of a correction.
    package struct Outcome: Sendable {
        /// For ``undo(kind:key:)``.
        package var kind: String
        package var key: String
        /// Messages that have another category or warning now, among those of the same sender, list or thread.
        package var changed: Int
    }

    /// Takes the owner's word for a message, for all mail of its sender, or for all of its list. It counts at once for
    /// these; call ``relearn()`` for what is like them.
    /// - Throws: ``BreezeError``: `not_found`, and `invalid_request` where the message has no sender or list.
    package func correct(
        _ message: Int64,
        _ word: OwnersWord,
        scope: PersonalJudgement.Scope
    ) async throws -> Outcome {
        let judged = try await decide(message, limit: limits.category)
        let key = try Self.key(scope, judged.traits)
        var lesson: Lesson?
        if scope == .message {
            guard let kept = try await table.kept([message]).first else { throw Self.gone }
            let vector = try await vector(of: message)
            lesson = Lesson(
                word,
                of: kept.verdict,
                sender: kept.traits.sender,
                list: kept.traits.list,
                embedding: vector.map { Lesson.Embedding($0, encoder: classifier.heads.encoder) }
            )
        }
        let new = lesson
        try await index.write { database in
            let before = try Self.find(word.kind, key, database)
            // The clock may have been set back: the later word counts all the same.
            let made = max(Int64(Date().timeIntervalSince1970), before?.rule.made ?? 0)
            let rule = PersonalJudgement.Rule(scope, key, word, made: made)
            let correction = OwnersCorrection(rule, lesson: new, before: before?.asBefore)
            try correction.correction().write(database)
        }
        return Outcome(kind: word.kind, key: key, changed: try await settleRelated(judged.traits))
    }

    /// Takes back what the owner said: what counted before counts again, and nothing of it stays learned.
    /// - Returns: how many messages changed at once; call ``relearn()`` for what is like them.
    /// - Throws: ``BreezeError`` `not_found`.
    package func undo(kind: String, key: String) async throws -> Int {
        let found = try await index.write { database in
            let found = try Self.find(kind, key, database)
            try database.execute(
                sql: "DELETE FROM correction WHERE kind = ? AND key = ?",
                arguments: [kind, key]
            )
            try found?.undone?.correction().write(database)
            return found
        }
        guard let found else {
            throw BreezeError(
                .notFound,
                "You have said nothing of \(key.prefix(200)) that could be taken back.",
                remedy: "What you said stands in: breeze mail correct --show"
            )
        }
        let (rule, lesson) = (found.rule, found.lesson)
        return try await settleRelated(
            PersonalJudgement.Traits(
                messageID: rule.scope == .message ? rule.key : "",
                sender: rule.scope == .sender ? rule.key : lesson?.sender,
                list: rule.scope == .list ? rule.key : lesson?.list
            )
        )
    }

    /// What the owner said, the latest first.
    package func corrections() async throws -> [OwnersCorrection] {
        try await index.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT correction.*, (SELECT subject FROM text JOIN message ON message.id = text.id
                        WHERE messageID = key LIMIT 1) AS subject
                    FROM correction ORDER BY made DESC, kind, key
                    """
            )
            return rows.compactMap { row in
                var said = OwnersCorrection(Correction(row))
                said?.subject = row["subject"]
                return said
            }
        }
    }

    /// Whether mail of an address counts as that of somebody whom the owner writes to, whatever was sent; `nil` leaves
    /// it to what was sent.
    package func setContact(_ address: String, _ isContact: Bool?) async throws {
        let key = address.lowercased()
        try await index.write { database in
            try database.execute(
                sql: "DELETE FROM correction WHERE kind = ? AND key = ?",
                arguments: [PersonalSource.contactKind, key]
            )
            guard let isContact else { return }
            try Correction(
                kind: PersonalSource.contactKind,
                key: key,
                value: isContact ? "yes" : "no",
                made: Int64(Date().timeIntervalSince1970)
            ).write(database)
        }
        _ = try await settleRelated(PersonalJudgement.Traits(messageID: "", sender: key, list: nil))
    }

    // MARK: - What is meant

    private static func find(_ kind: String, _ key: String, _ database: Database) throws -> OwnersCorrection?
    {
        try Row.fetchOne(
            database,
            sql: "SELECT * FROM correction WHERE kind = ? AND key = ?",
            arguments: [kind, key]
        ).flatMap { OwnersCorrection(Correction($0)) }
    }

    private static func key(
        _ scope: PersonalJudgement.Scope,
        _ traits: PersonalJudgement.Traits
    ) throws -> String {
        let key =
            switch scope {
            case .message: traits.messageID
            case .sender: traits.sender
            case .list: traits.list
            }
        guard let key, !key.isEmpty else {
            throw BreezeError(
                .invalidRequest,
                "The message names no \(scope.rawValue).",
                remedy: "Correct the message alone."
            )
        }
        return key
    }

    private static var gone: BreezeError {
        BreezeError(
            .notFound,
            "The message is gone from the index.",
            remedy: "Load the list again."
        )
    }

    private func settleRelated(_ traits: PersonalJudgement.Traits) async throws -> Int {
        let messages = try await index.read { database in
            try Int64.fetchAll(
                database,
                sql: """
                    SELECT id FROM message WHERE messageID = :id UNION SELECT id FROM message WHERE list = :list
                    UNION SELECT message FROM result WHERE kind = 'sender' AND value = :sender ORDER BY 1 DESC
                    """,
                arguments: ["id": traits.messageID, "list": traits.list, "sender": traits.sender]
            )
        }
        return try await settle(messages)
    }
}
#endif
