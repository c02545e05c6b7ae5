#if Hub
import BreezeStore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@testable import BreezeMailIndex

/// Held against FTS5's own bm25().
@Suite struct WordScoreTests {
    private struct Scores {
        var ours: [Double] = []
        var theirs: [Double] = []
    }

    /// Of each message that matches, by its number.
    private func scores(_ store: Store, _ words: String) async throws -> Scores {
        try await store.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT \(WordScore.sql), -bm25(words, 4, 2, 1, 1, 2, 1)
                    FROM words WHERE words MATCH ? ORDER BY rowid
                    """,
                arguments: [words]
            )
            return Scores(ours: rows.map { $0[0] }, theirs: rows.map { $0[1] })
        }
    }

    private func withStore(
        _ texts: [(subject: String, body: String)],
        _ body: (Store) async throws -> Void
    ) async throws {
        let folder = try ScratchFolder()
        let store = try Store.open(folder.url.appending(path: "index/mail.sqlite"), schema: MailSchema.schema)
        try await store.write { database in
            for (number, text) in texts.enumerated() {
                try database.execute(
                    sql: "INSERT INTO words (rowid, subject, body) VALUES (?, ?, ?)",
                    arguments: [number + 1, text.subject, text.body]
                )
            }
        }
        try await body(store)
        try store.close()
        withExtendedLifetime(folder) {}
    }

    private func isNear(_ scores: Scores, within share: Double) -> Bool {
        zip(scores.ours, scores.theirs).allSatisfy { abs($0 - $1) <= share * abs($1) }
    }

    @Test(arguments: [
        "budget", "budget OR report", "\"the budget\"", "subject : budget OR the", "bud*", "the",
    ])
    func `words that are counted score as bm25 says`(words: String) async throws {
        var random = SeededGenerator(seed: 3)
        let vocabulary = ["the", "the", "the", "budget", "report", "for", "a", "year", "of", "lunch"]
        let texts = (0..<400).map { _ in
            let body = (0..<Int.random(in: 1...80, using: &random)).map { _ in
                vocabulary.randomElement(using: &random) ?? "the"
            }
            return (subject: body.prefix(4).joined(separator: " "), body: body.joined(separator: " "))
        }
        try await withStore(texts) { store in
            let scores = try await scores(store, words)
            #expect(scores.ours.count > 20)
            #expect(
                isNear(scores, within: 1e-9),
                "\(zip(scores.ours, scores.theirs).prefix(3).map { ($0, $1) })"
            )
        }
    }

    @Test func `a word in more messages than are counted scores nearly the same`() async throws {
        let count = 4 * WordScore.mostCounted
        let texts = (0..<count).map { number in
            (
                subject: "",
                body: (number % 3 == 0 ? "other " : "common ") + (number % 5_000 == 0 ? "rare" : "word")
            )
        }
        try await withStore(texts) { store in
            // In a third of all, of which three quarters are counted.
            let estimated = try await scores(store, "other")
            #expect(estimated.ours.count > WordScore.mostCounted)
            #expect(isNear(estimated, within: 0.01))
            // In more than half of all, which is next to nothing in either.
            #expect(try await isNear(scores(store, "common"), within: 1e-9))
            let rare = try await scores(store, "rare")
            #expect(rare.ours.count == 8)
            #expect(isNear(rare, within: 1e-9))
            // With both words the rare one decides, as it does there.
            let both = try await scores(store, "other OR rare")
            #expect(
                isNear(Scores(ours: [both.ours.max() ?? 0], theirs: [both.theirs.max() ?? 1]), within: 0.01)
            )
        }
    }

    @Test func `an empty index and a word that is nowhere are no error`() async throws {
        try await withStore([]) { store in
            let scores = try await scores(store, "budget")
            #expect(scores.ours.isEmpty)
        }
    }
}
#endif
