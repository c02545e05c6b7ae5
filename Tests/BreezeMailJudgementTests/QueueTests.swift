#if Hub
import BreezeCore
import BreezeMailIndex
import BreezeMailSearch
import BreezeMailTestSupport
import BreezeTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BreezeMailClassifier
@testable import BreezeMailJudgement

@Suite(.enabled(if: SearchBench.isAvailable, "the trait Mail is off"))
struct `The processing queue` {
    private static let categories: [MailCategory?] = JudgeBench.sentences.map(\.category)

    private func rows(_ bench: JudgeBench, _ kind: String) async throws -> [Int64: String] {
        try await bench.mail.index.read { database in
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT message, value FROM result WHERE kind = ?",
                arguments: [kind]
            )
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        }
    }

    @Test func `every message gets its vector and its verdict in one pass of the encoder`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        let queue = bench.queue()
        try await queue.run()
        let texts = bench.mail.encoder.texts
        #expect(texts.count == 7 && Set(texts).count == 7)
        for (number, category) in Self.categories.enumerated() {
            if let category { #expect(try await bench.category(number + 1) == category) }
        }
        let warnings = try await rows(bench, "warning")
        #expect(warnings[try await bench.message(1)] == "spam")
        #expect(warnings[try await bench.message(2)] == "phishing")
        #expect(warnings.count == 2)
        let judged = try #require(try await bench.judged(2))
        #expect(judged.verdict.missing == [] && !judged.verdict.offersReplies)
        #expect(judged.verdict.evidence.contains { $0.about == .phishing && $0.kind == "text" })
        let progress = await queue.progress
        #expect(progress.done == 7 && progress.total == 7 && progress.encoderFault == nil)
        let requests = bench.mail.encoder.state.withLock { $0.requests }
        #expect(requests.allSatisfy { $0.privacy == .onDevice })
        // A hundred messages have 60 s: four have 2.4.
        #expect(requests.dropFirst().allSatisfy { $0.configuration.timeout == 2.4 })
    }

    @Test func `nothing is done twice, and only what is new after it`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        try await bench.queue().run()
        let (asked, read) = (bench.mail.encoder.texts.count, bench.reader.state.withLock { $0.orders.count })
        try await bench.queue().run()
        #expect(bench.mail.encoder.texts.count == asked)
        #expect(bench.reader.state.withLock { $0.orders.count } == read)
        try bench.mail.write(20, "New", "half price on all our boots")
        try await bench.mail.indexMail()
        try await bench.queue().run()
        #expect(bench.mail.encoder.texts.count == asked + 1)
        #expect(try await bench.category(20) == .promotions)
    }

    @Test func `what somebody asked for comes first`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        let queue = bench.queue()
        await queue.enqueue([try await bench.message(1), try await bench.message(3)])
        #expect(try await queue.processNext())
        #expect(
            try await rows(bench, "verdict").keys.sorted()
                == [
                    try await bench.message(1), try await bench.message(3),
                ].sorted()
        )
        try await queue.run()
        #expect(try await rows(bench, "verdict").count == 7)
        #expect(Set(bench.mail.encoder.texts).count == bench.mail.encoder.texts.count)
    }

    @Test func `verdicts of other heads are made again, and vectors are not`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        try await bench.queue().run()
        var heads = JudgeBench.heads
        heads.spam.both[2] += 99
        let asked = bench.mail.encoder.texts.count
        let judge = bench.judge(heads: heads)
        try await bench.queue({ _ in }, judge).run()
        #expect(bench.mail.encoder.texts.count == asked)
        let versions = try await bench.mail.index.read {
            try String.fetchSet($0, sql: "SELECT version FROM result WHERE kind = 'verdict'")
        }
        #expect(versions == ["\(MailClassifier.rules).\(heads.fingerprint)"])
        // Everything is spam to them.
        #expect(try await rows(bench, "warning").count == 7)
    }

    @Test func `without an encoder words and headers judge, and it is done again when one is there`()
        async throws
    {
        let bench = try JudgeBench()
        try await bench.fill()
        bench.mail.encoder.change { state in
            state.before = { _ in throw BreezeError(.noRunner, "There is none.") }
        }
        let queue = bench.queue()
        try await queue.run()
        #expect(await queue.progress.encoderFault?.code == .noRunner)
        #expect(try await bench.judged(1)?.verdict.missing == [.encoder])
        #expect(try await rows(bench, "warning")[try await bench.message(1)] == "spam")
        bench.mail.encoder.change { $0.before = nil }
        try await bench.queue().run()
        #expect(try await bench.judged(1)?.verdict.missing == [])
        #expect(try await bench.category(5) == .updates)
    }

    @Test func `an encoder that is too slow is given up, and judging goes on without`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        bench.mail.encoder.change { state in
            state.before = { request in
                if request.texts.count > 1 { throw BreezeError(.timeout, "Too slow.") }
            }
        }
        let queue = bench.queue()
        try await queue.run()
        #expect(await queue.progress.encoderFault?.code == .timeout)
        #expect(try await rows(bench, "verdict").count == 7)
        #expect(try await bench.judged(1)?.verdict.missing == [.encoder])
    }

    @Test func `vectors of another encoder are not judged by`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        bench.mail.encoder.change { $0.model = "another" }
        try await bench.queue().run()
        #expect(try await bench.judged(3)?.verdict.missing == [.encoder])
        let read = bench.reader.state.withLock { $0.orders.count }
        try await bench.queue().run()
        // They would be no better the second time.
        #expect(bench.reader.state.withLock { $0.orders.count } == read)
    }

    @Test
    func `a message that breaks the program that reads it is judged by the index, the others by themselves`()
        async throws
    {
        let bench = try JudgeBench()
        try await bench.fill()
        bench.reader.state.withLock { state in
            state.before = { order in
                if order.places.contains(where: { $0.path.hasSuffix("/3.a:2,S") }) {
                    throw BreezeError(.runFailed, "It ended.")
                }
            }
        }
        try await bench.queue().run()
        #expect(try await bench.judged(3)?.verdict.missing == [.headers])
        #expect(try await bench.category(3) == .primary)
        for number in [1, 2, 4, 5, 6, 7] {
            #expect(try await bench.judged(number)?.verdict.missing == [])
        }
    }

    @Test func `a message that became another one, or is gone, is judged by what the index has of it`()
        async throws
    {
        let bench = try JudgeBench()
        try await bench.fill()
        let folder = bench.mail.folder.url
        try FileManager.default.removeItem(at: folder.appending(path: "Mail/cur/4.a:2,S"))
        try bench.mail.write(5, "Other", "cheap pills for everybody", from: "S4 <s4@mail.example>")
        try await bench.queue().run()
        for number in [4, 5] { #expect(try await bench.judged(number)?.verdict.missing == [.headers]) }
        #expect(try await bench.category(5) == .updates)
    }

    @Test func `pausing holds it, and resuming lets it go on`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        let queue = bench.queue()
        await queue.pause()
        let work = Task { try await queue.run() }
        // It stands before the first request: the probe is the only thing that could have been asked.
        for _ in 0..<200 { await Task.yield() }
        #expect(bench.mail.encoder.texts.isEmpty)
        await queue.resume()
        try await work.value
        #expect(try await rows(bench, "verdict").count == 7)
    }

    @Test func `a second one is told that the mail is being worked on`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        let first = bench.queue()
        #expect(try await first.processNext())
        let error = await #expect(throws: BreezeError.self) { try await bench.queue().run() }
        #expect(error?.code == .busy)
        try await first.run()
    }

    @Test func `one that is cancelled says so, and the next goes on`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        let queue = bench.queue()
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.run()
        }
        let error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .cancelled)
        try await bench.queue().run()
        #expect(try await rows(bench, "verdict").count == 7)
    }

    @Test func `results go with their messages, and a damaged one is left out`() async throws {
        let bench = try JudgeBench()
        try await bench.fill()
        try await bench.queue().run()
        let message = try await bench.message(2)
        try await bench.mail.index.write { database in
            try database.execute(
                sql: "UPDATE result SET value = '{' WHERE message = ? AND kind = 'verdict'",
                arguments: [message]
            )
        }
        #expect(try await bench.judge.judged(message) == nil)
        try FileManager.default.removeItem(at: bench.mail.folder.url.appending(path: "Mail/cur/1.a:2,S"))
        try await bench.mail.indexMail()
        #expect(try await rows(bench, "verdict").count == 6)
        #expect(try await rows(bench, "sender").count == 6)
    }
}
#endif
