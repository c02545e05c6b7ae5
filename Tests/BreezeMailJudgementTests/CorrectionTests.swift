#if Hub
import BreezeCore
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailTestSupport
import BreezeTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BreezeMailJudgement

@Suite(.enabled(if: SearchBench.isAvailable, "the trait Mail is off"))
struct `What the owner says of mail` {
    /// Ten letters of one shop and three of a list, besides one of each kind.
    private func bench() async throws -> JudgeBench {
        let bench = try JudgeBench()
        try await bench.fill()
        for number in 10..<13 {
            try bench.mail.write(
                number,
                "Boots",
                "half price on all our boots",
                from: "Shop <news@shop.example>"
            )
        }
        for number in 13..<16 {
            try bench.mail.write(
                number,
                "Boats",
                "the patch does not apply here",
                from: "P\(number) <p\(number)@list.example>",
                headers: "List-Id: <boats.list.example>\n"
            )
        }
        try await bench.mail.indexMail()
        try await bench.queue().run()
        return bench
    }

    private func listed(_ bench: JudgeBench, _ category: MailCategory) async throws -> Int {
        try await bench.mail.index.listing(
            ListingFilter(category: category.rawValue),
            isByThread: false,
            limit: 100,
            offset: 0
        ).entries.count
    }

    @Test func `a word about one message counts for it at once, and for the next one of its sender`()
        async throws
    {
        let bench = try await bench()
        #expect(try await bench.category(10) == .promotions)
        let outcome = try await bench.judge.correct(
            try await bench.message(10),
            .category(.updates),
            scope: .message
        )
        #expect(outcome.kind == "category" && outcome.key == "m10@example.org" && outcome.changed == 3)
        let judged = try #require(try await bench.judged(10))
        #expect(judged.verdict.category == .updates && judged.verdict.confidence == 1)
        #expect(judged.rules.map(\.word) == [.category(.updates)] && judged.rules[0].scope == .message)
        let like = try #require(try await bench.judged(11))
        #expect(like.verdict.category == .updates && like.rules.isEmpty)
        #expect(like.verdict.evidence.contains { $0.kind == "corrections" })
        // Another sender's letter that says the very same is moved by the head alone.
        #expect(try await bench.judged(4)?.verdict.evidence.contains { $0.kind == "learned" } == true)
    }

    @Test func `what is taken back is gone without a trace`() async throws {
        let bench = try await bench()
        func all() async throws -> [Int: MailVerdict] {
            var verdicts: [Int: MailVerdict] = [:]
            for number in Array(1...7) + Array(10...15) {
                verdicts[number] = try await bench.judged(number)?.verdict
            }
            return verdicts
        }
        let before = try await all()
        let message = try await bench.message(10)
        let outcome = try await bench.judge.correct(message, .category(.updates), scope: .message)
        _ = try await bench.judge.correct(message, .phishing, scope: .message)
        try await bench.judge.relearn()
        #expect(try await all() != before)
        _ = try await bench.judge.undo(kind: "spam", key: outcome.key)
        _ = try await bench.judge.undo(kind: outcome.kind, key: outcome.key)
        try await bench.judge.relearn()
        #expect(try await all() == before)
        #expect(try await bench.judge.corrections().isEmpty)
        #expect(try await listed(bench, .promotions) == 4)
        let error = await #expect(throws: BreezeError.self) {
            try await bench.judge.undo(kind: outcome.kind, key: outcome.key)
        }
        #expect(error?.code.rawValue == "not_found")
    }

    @Test
    func `of words that contradict each other the later counts, and taking it back gives the earlier one`()
        async throws
    {
        let bench = try await bench()
        let message = try await bench.message(10)
        for category in [MailCategory.updates, .forums, .social] {
            _ = try await bench.judge.correct(message, .category(category), scope: .message)
            #expect(try await bench.category(10) == category)
        }
        _ = try await bench.judge.undo(kind: "category", key: "m10@example.org")
        #expect(try await bench.category(10) == .forums)
        // Two letters of a sender that were put into two categories say nothing of a third.
        _ = try await bench.judge.correct(try await bench.message(10), .category(.primary), scope: .message)
        _ = try await bench.judge.correct(try await bench.message(11), .category(.social), scope: .message)
        let evidence = try #require(try await bench.judged(12)).verdict.evidence
        let weights = evidence.filter { $0.kind == "corrections" }.map(\.weight)
        #expect(weights.count == 2 && weights[0] == weights[1])
    }

    @Test func `a list is said something of once, for all who write to it`() async throws {
        let bench = try await bench()
        #expect(try await listed(bench, .forums) == 4)
        let outcome = try await bench.judge.correct(
            try await bench.message(13),
            .category(.updates),
            scope: .list
        )
        #expect(outcome.key == "boats.list.example" && outcome.changed == 3)
        for number in 13...15 { #expect(try await bench.category(number) == .updates) }
        #expect(try await bench.category(7) == .forums)
        // One message may be told apart from its list.
        _ = try await bench.judge.correct(try await bench.message(14), .category(.social), scope: .message)
        #expect(try await bench.category(14) == .social)
        #expect(try await bench.category(13) == .updates)
    }

    @Test func `a message without a list cannot be corrected by it`() async throws {
        let bench = try await bench()
        let message = try await bench.message(10)
        let error = await #expect(throws: BreezeError.self) {
            try await bench.judge.correct(message, .wanted, scope: .list)
        }
        #expect(error?.code == .invalidRequest)
        #expect(try await bench.judge.corrections().isEmpty)
    }

    @Test func `no spam stays none, and the next one of the sender is none either`() async throws {
        let bench = try JudgeBench()
        for number in 1...3 {
            try bench.mail.write(number, "Note", "cheap pills for everybody", from: "Pat <pat@mail.example>")
        }
        try await bench.mail.indexMail()
        try await bench.queue().run()
        #expect(try await bench.judged(1)?.verdict.spam.flagged == true)
        let outcome = try await bench.judge.correct(try await bench.message(1), .wanted, scope: .message)
        #expect(outcome.changed == 3)
        let judged = try #require(try await bench.judged(2)).verdict
        #expect(!judged.spam.flagged && !judged.phishing.flagged && judged.warning == nil)
        try bench.mail.write(4, "Note", "cheap pills for everybody", from: "Pat <pat@mail.example>")
        try await bench.mail.indexMail()
        try await bench.queue().run()
        #expect(try await bench.judged(4)?.verdict.spam.flagged == false)
    }

    @Test func `a pardon of a sender is not for who only says to be them`() async throws {
        let bench = try JudgeBench()
        try bench.mail.write(1, "Note", "cheap pills for everybody", from: "Pat <pat@mail.example>")
        try bench.mail.write(
            2,
            "Note",
            "cheap pills for everybody",
            from: "Pat <pat@mail.example>",
            headers: "Authentication-Results: mx.example.net; dmarc=fail header.from=mail.example\n"
        )
        try await bench.mail.indexMail()
        try await bench.queue().run()
        _ = try await bench.judge.correct(try await bench.message(1), .wanted, scope: .sender)
        #expect(try await bench.judged(1)?.verdict.spam.flagged == false)
        #expect(try await bench.judged(2)?.verdict.spam.flagged == true)
    }

    @Test func `whom the owner writes to sends no spam, unless they only say to be them`() async throws {
        let bench = try JudgeBench()
        let folder = bench.mail.folder
        try folder.write(
            "Mail/.Sent/cur/90.a:2,S",
            """
            From: Me <me@home.example>
            To: Pat <Pat@Mail.Example>
            Subject: Hello
            Date: 1 Nov 2026 10:00:00 +0000
            Message-ID: <m90@example.org>

            dinner at eight on friday

            """
        )
        for name in ["cur", "new", "tmp"] {
            let url = folder.url.appending(path: "Mail/.Sent/\(name)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }
        try bench.mail.write(1, "Note", "cheap pills for everybody", from: "Pat <pat@mail.example>")
        try bench.mail.write(2, "Note", "cheap pills for everybody", from: "Me <me@home.example>")
        try bench.mail.write(
            3,
            "Note",
            "cheap pills for everybody",
            from: "Pat <pat@mail.example>",
            headers: "Authentication-Results: mx.example.net; spf=fail smtp.mailfrom=mail.example\n"
        )
        try await bench.mail.indexMail()
        try await bench.queue().run()
        let known = try #require(try await bench.judged(1)).verdict
        #expect(!known.spam.flagged && known.evidence.contains { $0.kind == "contact" })
        // The owner's own address is the first that is forged.
        #expect(try await bench.judged(2)?.verdict.spam.flagged == true)
        #expect(try await bench.judged(3)?.verdict.spam.flagged == true)
        try await bench.judge.setContact("PAT@mail.example", false)
        #expect(try await bench.judged(1)?.verdict.spam.flagged == true)
        try await bench.judge.setContact("pat@mail.example", nil)
        #expect(try await bench.judged(1)?.verdict.spam.flagged == false)
    }

    @Test func `who wrote before without harm is believed a little more, in whatever order mail is judged`()
        async throws
    {
        let bench = try JudgeBench()
        for number in 1...6 {
            try bench.mail.write(number, "Note", "dinner at eight on friday", from: "Pat <pat@mail.example>")
        }
        try bench.mail.write(7, "Note", "dinner at eight on friday", from: "New <new@mail.example>")
        try await bench.mail.indexMail()
        try await bench.queue().run()
        func history(_ number: Int) async throws -> Double? {
            try await bench.judged(number)?.verdict.evidence.first {
                $0.kind == "history" && $0.about == .spam
            }?.weight
        }
        #expect(try await history(1) == nil)
        #expect(try await history(7) == nil)
        // Half the binary logarithm of one more than the earlier ones: 1 and 3.
        #expect(try await history(2) == -0.5)
        #expect(try await history(4) == -1)
        #expect(try #require(try await history(6)) < -1)
    }

    @Test func `corrections outlive their messages and the index`() async throws {
        let bench = try await bench()
        _ = try await bench.judge.correct(try await bench.message(10), .category(.updates), scope: .message)
        try FileManager.default.removeItem(at: bench.mail.folder.url.appending(path: "Mail/cur/10.a:2,S"))
        try await bench.mail.indexMail()
        try await bench.queue().run()
        #expect(try await bench.category(11) == .updates)
        let copy = try await bench.mail.index.exportCorrections()
        let other = try JudgeBench()
        try other.mail.write(11, "Boots", "half price on all our boots", from: "Shop <news@shop.example>")
        try await other.mail.indexMail()
        try await other.mail.index.importCorrections(copy)
        try await other.queue().run()
        #expect(try await other.category(11) == .updates)
    }

    @Test
    func `a conversation belongs where its newest message does, and the owner's word holds until the next`()
        async throws
    {
        let bench = try JudgeBench()
        try bench.mail.write(1, "Friday", "dinner at eight on friday", from: "Ada <ada@mail.example>")
        try await bench.mail.indexMail()
        try await bench.queue().run()
        _ = try await bench.judge.correct(try await bench.message(1), .category(.social), scope: .message)
        #expect(try await listed(bench, .social) == 1)
        try bench.mail.write(
            2,
            "Re: Friday",
            "the patch does not apply here",
            from: "Ben <ben@mail.example>",
            headers: "In-Reply-To: <m1@example.org>\n"
        )
        try await bench.mail.indexMail()
        try await bench.queue().run()
        let threads = try await bench.mail.index.listing(isByThread: true, limit: 10, offset: 0).entries
        #expect(threads.map(\.category) == ["forums"] && threads.first?.threadCount == 2)
        #expect(try await bench.mail.index.categories().map(\.category) == ["forums"])
        #expect(try await bench.mail.index.categories().map(\.messages) == [1])
    }

    @Test
    func `a message that was not judged yet can be corrected, and corrections of others are passed over`()
        async throws
    {
        let bench = try JudgeBench()
        try await bench.fill()
        try await bench.mail.index.importCorrections([
            Correction(kind: "category", key: "m5@example.org", value: "nonsense", made: 1, lesson: "{"),
            Correction(kind: "else", key: "m5@example.org", value: "x", made: 1),
            Correction(kind: "category", key: "s3@mail.example", value: "Updates", made: 1),
        ])
        _ = try await bench.judge.correct(try await bench.message(1), .wanted, scope: .message)
        #expect(try await bench.judged(1)?.verdict.warning == nil)
        try await bench.queue().run()
        #expect(try await bench.category(5) == .updates)
        #expect(try await bench.category(4) == .updates)
    }

    @Test func `asking for one message judges it within its limit`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        let message = try await bench.message(2)
        let judged = try await bench.judge.decide(message, limit: .milliseconds(500))
        #expect(judged.verdict.phishing.flagged && judged.verdict.missing == [])
        let requests = bench.mail.encoder.state.withLock { $0.requests }
        #expect(requests.map(\.configuration.timeout) == [0.5])
        // Late: the answer is that of words and headers, and the queue makes it whole.
        bench.mail.encoder.change { $0.before = { _ in throw BreezeError(.timeout, "late") } }
        #expect(
            try await bench.judge.decide(try await bench.message(1), limit: .seconds(2)).verdict.missing == [
                .encoder
            ]
        )
        bench.mail.encoder.change { $0.before = nil }
        try await bench.queue().run()
        #expect(try await bench.judged(1)?.verdict.missing == [])
        let error = await #expect(throws: BreezeError.self) {
            try await bench.judge.decide(9_999, limit: .seconds(1))
        }
        #expect(error?.code.rawValue == "not_found")
    }
}
#endif
