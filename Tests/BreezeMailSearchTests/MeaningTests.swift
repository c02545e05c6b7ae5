#if Hub
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeMailTestSupport
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeMailSearch

@Suite(.enabled(if: SearchBench.isAvailable, "the trait Mail is off"))
struct `A search by meaning` {
    private func mailbox(_ bench: SearchBench) async throws {
        try bench.write(1, "Departure", "The boat leaves the quay in the morning.")
        try bench.write(2, "Delivery", "The truck brings bricks.", from: "Carl <carl@shop.example>")
        try bench.write(3, "Repairs", "The boat needs paint.", from: "Carl <carl@shop.example>")
        try bench.write(4, "Supper", "Soup and bread tonight.", headers: "References: <m1@example.org>\n")
        try bench.write(5, "A ship", "Seen far out.")
        try await bench.indexMail()
    }

    private func embedded() async throws -> SearchBench {
        let bench = try SearchBench()
        try await mailbox(bench)
        try await bench.queue().run()
        return bench
    }

    @Test func `what means the same is found without its words`() async throws {
        let bench = try await embedded()
        #expect(try await bench.find("vessel").numbers.isEmpty)
        let results = try await bench.find("vessel", .meaning)
        #expect(Set(results.numbers.prefix(3)) == [1, 3, 5])
        #expect(results.mode == .meaning && results.notices.isEmpty)
        let hit = try #require(results.hits.first)
        #expect(hit.score == hit.explanation?.cosine)
        #expect(hit.explanation?.meaningRank == 1 && hit.explanation?.wordRank == nil)
        #expect(hit.coverage.passagesRead == 1 && hit.coverage.passages == 1)
        #expect(results.explanation?.encoder == "bag-of-words")
        #expect(results.explanation?.vectors == 6)
    }

    @Test func `both ranks what words and meaning found before what one of them did`() async throws {
        let bench = try await embedded()
        let results = try await bench.find("ship", .both)
        #expect(results.mode == .both)
        #expect(results.numbers.first == 5)
        #expect(Set(results.numbers.prefix(3)) == [1, 3, 5])
        let first = try #require(results.hits.first?.explanation)
        #expect((first.wordRank, first.isInSubject) == (1, true))
        let rank = try #require(first.meaningRank)
        // By hand: reciprocal ranks with k = 10, and half a first place for the subject.
        let score = 1 / 11.0 + 1 / (10.0 + Double(rank)) + 0.5 / 11
        #expect(abs((results.hits.first?.score ?? 0) - score) < 1e-12)
    }

    @Test(arguments: [
        ("vessel from:carl", [3]), ("vessel -paint", [1, 5]), ("vessel \"far out\"", [5]),
        ("vessel is:unread", []), ("vessel date:2026-11-02", [1]),
    ])
    func `fields and what is not wanted filter it`(query: String, wanted: [Int]) async throws {
        let bench = try await embedded()
        let numbers = Set(wanted)
        for mode in [SearchMode.meaning, .both] {
            let found = try await bench.find(query, mode).hits.filter {
                ($0.explanation?.cosine ?? 0) > 0.2 || mode == .both && numbers.contains($0.number)
            }
            #expect(Set(found.map(\.number)) == numbers, "\(mode)")
        }
    }

    @Test func `a message that is like another one is found by it`() async throws {
        let bench = try await embedded()
        let one = try #require(try await bench.index.messages(withID: "m1@example.org").first)
        let results = try await bench.search.similar(to: one.id, SearchOptions(isExplained: true))
        // A ship, and its sender is the same; of the others each has one of these.
        #expect(results.numbers.first == 5)
        #expect(!results.numbers.contains(1))
        #expect(results.explanation?.meaning == "Departure")
        // Its own vector speaks: nobody is asked.
        #expect(bench.encoder.texts.count == 5)
        let error = await #expect(throws: BreezeError.self) { try await bench.search.similar(to: 99) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `a message without a vector is compared by its text`() async throws {
        let bench = try await embedded()
        try bench.write(6, "Ferry", "The vessel leaves the quay.")
        try await bench.indexMail()
        let one = try #require(try await bench.index.messages(withID: "m6@example.org").first)
        let results = try await bench.search.similar(to: one.id)
        #expect(results.numbers.first == 1)
        #expect(results.kinds == [.partlyEmbedded])
    }

    // MARK: - Without meaning

    private func answersByWords(_ bench: SearchBench, _ mode: SearchMode, says text: String) async throws {
        let results = try await bench.find("boat", mode)
        #expect(results.exact == [1, 3])
        #expect(results.mode == .words)
        let notice = try #require(results.notices.first { $0.kind == .noMeaning })
        #expect(notice.message.contains(text), "\(notice.message)")
        #expect(notice.message.hasSuffix("Words alone answer."))
    }

    @Test(arguments: [SearchMode.meaning, .both])
    func `without an encoder, vectors or the same model words answer, and say why`(mode: SearchMode)
        async throws
    {
        let bench = try SearchBench()
        try await mailbox(bench)
        try await answersByWords(bench, mode, says: "No vectors of this mail")
        try await bench.queue().run()
        #expect(try await bench.find("boat", mode).mode == mode)
        bench.encoder.change { $0.model = "another" }
        try await answersByWords(bench, mode, says: "another embeds queries now")
        bench.encoder.change { state in
            state.before = { _ in throw BreezeError(.noRunner, "Nobody can embed.") }
        }
        try await answersByWords(bench, mode, says: "Nobody can embed.")
        let options = SearchOptions(mode: mode)
        let results = try await bench.wordSearch.search(SearchBench.query("boat"), options)
        #expect(results.mode == .words && results.kinds == [.noMeaning])
    }

    @Test func `fields alone have no meaning`() async throws {
        let bench = try await embedded()
        let results = try await bench.find("from:carl", .meaning)
        #expect(results.exact == [2, 3])
        #expect(results.kinds == [.noMeaning])
        #expect(try await bench.find("from:carl", .both).notices.isEmpty)
    }

    @Test func `what is not embedded yet is told`() async throws {
        let bench = try await embedded()
        try bench.write(6, "Ferry", "The boat again.")
        try await bench.indexMail()
        let results = try await bench.find("boat", .both)
        #expect(results.exact.contains(6))
        #expect(
            results.notices.map(\.message) == [
                "Meaning knows 5 of 6 passages so far; words know all messages."
            ]
        )
        #expect(results.hits.first { $0.number == 6 }?.coverage.passages == 0)
    }

    @Test func `a cancelled search ends`() async throws {
        let bench = try await embedded()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await bench.find("boat", .both)
        }
        let error = await #expect(throws: (any Error).self) { try await task.value }
        #expect(error is CancellationError || (error as? BreezeError)?.code == .cancelled)
    }

    // MARK: - Threads, and mail that goes

    @Test func `a message that was deleted is not found by its vector`() async throws {
        let bench = try await embedded()
        try FileManager.default.removeItem(at: bench.folder.url.appending(path: "Mail/cur/3.a:2,S"))
        try await bench.indexMail()
        // Another one takes its place in the mailbox, and not its number.
        try bench.write(9, "Garden", "Carrots and beans.")
        try await bench.indexMail()
        let numbers = try await bench.find("paint boat repairs", .meaning).numbers
        #expect(!numbers.contains(3) && !numbers.contains(9))
        try await bench.queue().run()
        #expect(try await bench.find("carrots", .meaning).numbers.first == 9)
    }

    @Test func `vectors of an index that was made anew are not taken for its own`() async throws {
        let bench = try await embedded()
        let file = bench.index.url
        try bench.index.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
        let again = try MailIndex.open(at: file)
        let vectors = MailVectors(beside: again)
        let search = MailSearch(index: again, vectors: vectors, embedder: bench.encoder)
        _ = try await again.index(
            [.message(Array("Subject: One\n\nCarrots.".utf8))],
            with: SearchBench.parser
        )
        let options = SearchOptions(mode: .meaning)
        let before = try await search.search(SearchBench.query("vessel"), options)
        #expect(before.kinds == [.noMeaning])
        var settings = EmbeddingSettings()
        settings.conditions = .always
        try await EmbeddingQueue(index: again, vectors: vectors, embedder: bench.encoder, settings: settings)
            .run()
        let after = try await search.search(SearchBench.query("carrots"), options)
        #expect(after.hits.map(\.subject) == ["One"])
        try again.close()
    }
}
#endif
