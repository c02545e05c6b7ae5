#if Hub
import BreezeCore
import BreezeMail
import BreezeMailParser
import BreezeStore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@testable import BreezeMailIndex

@Suite(.enabled(if: MailBench.isAvailable, "the trait Mail is off"))
struct `Bad mail` {
    private func indexed(_ text: String) async throws -> IndexedMessage {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.write("cur/1.a:2,", text)
        let report = try await bench.index()
        #expect(report.counts.new == 1 && report.failures.isEmpty)
        let index = try bench.open()
        let message = try #require(try await index.list().first)
        try index.close()
        #expect(try await bench.index().counts.new == 0)
        return message
    }

    @Test func `a message of a hundred megabytes says how much of it was read`() async throws {
        let line = String(repeating: "word ", count: 15) + "\n"
        let body = String(repeating: line, count: 105_000_000 / line.utf8.count)
        let message = try await indexed(MailBench.message(1, body: "begin " + body))
        #expect(message.size > 104_000_000)
        #expect(message.textRead == MailLimits().textBytes)
        #expect(message.textSize > 100_000_000)
        #expect(message.notices.contains { $0.kind == .messageTooLong })
    }

    @Test func `ten thousand parts are listed as far as the limit`() async throws {
        let parts = (0..<10_050).map { "--b\nContent-Type: application/x-\($0); name=\"f\($0)\"\n\nx\n" }
        let extra = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b\"\n"
        let message = try await indexed(MailBench.message(1, body: parts.joined() + "--b--", extra: extra))
        #expect(message.attachments.count >= 9_990 && message.attachments.count <= 10_000)
        #expect(message.notices.contains { $0.kind == .tooManyParts })
    }

    @Test func `a flood of headers is cut and told`() async throws {
        let flood = (0..<50_000).map { "X-H\($0): value" }.joined(separator: "\n") + "\n"
        let message = try await indexed(MailBench.message(1, extra: flood))
        #expect(message.subject == "Number 1")
        #expect(message.notices.contains { $0.kind == .headersDropped })
    }

    @Test(arguments: [
        ("Mon, 01 Jan 0000 00:00:00 +0000", Int64(0)), ("Fri, 31 Dec 9999 23:59:59 +0000", 253_402_300_799),
        ("Fri, 31 Dec 99999 23:59:59 +0000", nil), ("no date", nil),
    ])
    func `any date has its place in the list`(date: String, seconds: Int64?) async throws {
        let text = MailBench.message(1).replacing("Mon, 02 Nov 2026 10:11:00 +0000", with: date)
        let found = try await indexed(text).date?.unixSeconds
        if let seconds {
            #expect(found == seconds || found == nil)
        } else {
            #expect(found ?? 0 <= MailDate.latest)
        }
    }

    @Test func `references that go in a circle end`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        for (own, other) in [(1, 2), (2, 3), (3, 1)] {
            let extra = "References: <m\(other)@example.org> <m\(own)@example.org>\n"
            try bench.write("cur/\(own).a:2,", MailBench.message(own, extra: extra))
        }
        try bench.write("cur/4.a:2,", MailBench.message(4))
        try await bench.index()
        let index = try bench.open()
        let threads = Dictionary(grouping: try await index.list(), by: \.thread).values.map(\.count).sorted()
        #expect(threads == [1, 3])
        #expect(try await index.status().threads == 2)
        try index.close()
        // One that is deleted leaves its thread.
        try bench.remove("cur/2.a:2,")
        try await bench.index()
        let again = try bench.open()
        let left = Dictionary(grouping: try await again.list(), by: \.thread).values.map(\.count).sorted()
        #expect(left == [1, 2])
        try again.close()
    }

    @Test(arguments: ["", "\0\0\0", "\n\n", "From \n", "no header at all"])
    func `nearly nothing is a message too`(text: String) async throws {
        _ = try await indexed(text)
    }

    @Test func `what a person types is words and never an operator`() async throws {
        let bench = try MailBench()
        try bench.makeFolder("")
        try bench.write("cur/1.a:2,", MailBench.message(1, body: "Straße and naïve NEAR said \"quoted\""))
        try await bench.index()
        let index = try bench.open()
        for words in ["naive", "NEAR", "\"quoted\"", "said quoted", "Number", "sender1"] {
            #expect(try await index.find(words).count == 1, "\(words)")
        }
        for words in [
            "", "   ", "absent", "NEAR(a b)", "\"", "*", "said absent", "-said NOT", "subject:Number", "a\0b",
        ] {
            #expect(try await index.find(words).isEmpty, "\(words)")
        }
        try index.close()
    }
}

@Suite(.enabled(if: MailBench.isAvailable, "the trait Mail is off"))
struct `An index in trouble` {
    private func mailbox(_ count: Int) throws -> MailBench {
        let bench = try MailBench()
        try bench.makeFolder("")
        for number in 1...count {
            let words = (0..<200).map { "w\(number)x\($0)" }.joined(separator: " ")
            try bench.write("cur/\(number).a:2,", MailBench.message(number, body: words))
        }
        bench.age()
        return bench
    }

    @Test(.enabled(if: SmallDisk.isAvailable, "making a file system is a privilege"))
    func `a full disk ends the run, and the next one goes on`() async throws {
        let bench = try mailbox(1_000)
        let place = bench.folder.url.appending(path: "disk")
        let disk = try SmallDisk(at: place, megabytes: 4)
        defer { disk.unmount() }
        let database = place.appending(path: "index/mail.sqlite")
        var settings = IndexSettings()
        settings.batch = 50
        let run = settings
        let error = await #expect(throws: BreezeError.self) { try await bench.index(run, in: database) }
        #expect(error?.code == .insufficientDisk)
        // What was committed is whole, and somewhere else it goes on from there.
        let index = try MailIndex.open(at: database)
        let kept = try await index.status().messages
        #expect(kept >= 50 && kept % 50 == 0 && kept < 1_000)
        let larger = bench.folder.url.appending(path: "large/mail.sqlite")
        mkdir(larger.deletingLastPathComponent().path, 0o700)
        try await index.store.backup(to: larger)
        try index.close()
        #expect(try await bench.index(in: larger).counts.new == 1_000 - kept)
        #expect(try await bench.dump(larger) == bench.cleanDump())
    }

    @Test func `a damaged index is kept aside, what the person said is saved, and mail fills a new one`()
        async throws
    {
        let bench = try mailbox(300)
        try await bench.index()
        let said = [
            Correction(kind: "category", key: "m1@example.org", value: "primary", made: 5),
            Correction(kind: "spam", key: "sender2@example.org", value: "no", made: 7),
        ]
        let index = try bench.open()
        try await index.importCorrections(said)
        try index.close()
        let clean = try await bench.dump()
        // The root page of the messages' table.
        let page = try await DatabaseQueue(path: bench.database.path).read { database in
            try Int.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'message'") ?? 0
        }
        let handle = try FileHandle(forWritingTo: bench.database)
        try handle.seek(toOffset: UInt64(page - 1) * 4_096)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 4_096))
        try handle.close()
        // Whoever meets the damage gets an error and leaves a note.
        let hurt = try bench.open()
        let error = await #expect(throws: BreezeError.self) { try await hurt.list() }
        #expect(error?.code == .invalidFile)
        try hurt.close()
        let mended = try bench.open()
        let notice = try #require(mended.notice)
        #expect(notice.contains("damaged") && notice.contains("2 corrections"))
        #expect(try await mended.exportCorrections() == said)
        let status = try await mended.status()
        #expect(status.messages == 0)
        #expect(status.roots == [bench.maildir.resolvingSymlinksInPath().path])
        try mended.close()
        let aside = try FileManager.default.contentsOfDirectory(
            atPath: bench.database.deletingLastPathComponent().path
        )
        #expect(aside.contains { $0.contains(".damaged-") })
        try await bench.index()
        #expect(try await bench.dump() == clean)
    }

    @Test func `the later word about the same thing counts`() async throws {
        let bench = try MailBench()
        let index = try bench.open()
        func say(_ value: String, _ made: Int64) -> Correction {
            Correction(kind: "spam", key: "a@example.org", value: value, made: made)
        }
        try await index.importCorrections([say("yes", 5), say("no", 9), say("perhaps", 7)])
        #expect(try await index.exportCorrections() == [say("no", 9)])
        try index.close()
    }
}
#endif
