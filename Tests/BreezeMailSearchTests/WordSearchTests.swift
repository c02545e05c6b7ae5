#if Hub
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeMailTestSupport
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@testable import BreezeMailSearch

@Suite(.enabled(if: SearchBench.isAvailable, "the trait Mail is off"))
struct `A search by words` {
    /// Eight messages, each of which a field finds.
    private func mailbox() async throws -> SearchBench {
        let bench = try SearchBench()
        try bench.write(1, "Harbour plan", "The boat leaves at noon. See https://example.org/tide for tides.")
        try bench.write(
            2,
            "Re: Harbour plan",
            "I will bring the ropes.",
            headers: "References: <m1@example.org>\n"
        )
        try bench.write(
            3,
            "Invoice",
            "Please pay for the sails.",
            from: "Carl <carl@shop.example>",
            flags: "F"
        )
        try bench.write(
            4,
            "Tide tables",
            "New tables are out.",
            headers: "List-Id: Boat talk <boats.lists.example.org>\n",
            in: ".Lists.Boats/cur",
            flags: ""
        )
        try bench.write(
            5,
            "Minutes",
            "The meeting was short.",
            headers: "Cc: Dora <dora@example.com>\n",
            in: ".Work/cur"
        )
        try bench.write(6, "Unread", "Nobody has seen this.", in: "new", flags: "")
        try bench.write(7, "Café", "A naïve plan for the harbour café.", flags: "RS")
        try bench.write(8, "Scan", Self.withFile, headers: Self.mixed)
        try await bench.indexMail()
        return bench
    }

    private static let mixed = "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n"
    private static let withFile = """
        --x
        Content-Type: text/plain

        The scanned page.
        --x
        Content-Type: application/pdf; name="logbook.pdf"
        Content-Disposition: attachment; filename="logbook.pdf"
        Content-Transfer-Encoding: base64

        JVBERi0xLjQK
        --x--
        """

    @Test(arguments: [
        ("harbour", [1, 2, 7]), ("boat leaves", [1]), ("\"leaves at noon\"", [1]), ("\"noon at leaves\"", []),
        ("harbour -ropes", [1, 7]), ("cafe", [7]), ("NAIVE", [7]), ("harb*", [1, 2, 7]),
        ("from:carl", [3]), ("from:shop.example", [3]), ("to:ben invoice", [3]), ("cc:dora", [5]),
        ("subject:harbour", [1, 2]), ("body:harbour", [7]), ("attachment:logbook", [8]), ("logbook", []),
        ("has:attachment", [8]), ("has:link", [1]), ("has:list", [4]), ("mimetype:application/pdf", [8]),
        ("mimetype:image/*", []), ("is:flagged", [3]), ("is:unread", [3, 4, 6]), ("is:replied", [7]),
        ("is:new", [6]), ("is:read harbour", [1, 2, 7]), ("in:boats", [4]), ("in:inbox", [1, 2, 3, 6, 7, 8]),
        ("folder:Lists/Boats", [4]), ("list:boats", [4]), ("list:lists.example.org", [4]),
        ("list:example", [4]),
        ("id:m5@example.org", [5]), ("thread:m1@example.org", [1, 2]), ("thread:m2@example.org", [1, 2]),
        ("date:2026-11-04..2026-11-06", [3, 4, 5]), ("before:2026-11-03", [1]), ("since:2026-11-09", [8]),
        ("tag:urgent", []), ("size:..1", []), ("size:1..", [1, 2, 3, 4, 5, 6, 7, 8]),
        ("(from:carl OR harbour) -is:flagged", [1, 2, 7]), ("from:carl OR is:new", [3, 6]),
        ("*", [1, 2, 3, 4, 5, 6, 7, 8]), ("-harbour", [3, 4, 5, 6, 8]), ("harbour is:flagged", []),
    ])
    func `a query finds what it says`(query: String, numbers: [Int]) async throws {
        let results = try await mailbox().find(query)
        #expect(results.exact.sorted() == numbers, "\(results.notices)")
        #expect(!results.isMore)
    }

    @Test func `what is not known is told`() async throws {
        let bench = try await mailbox()
        #expect(try await bench.find("tag:urgent").kinds == [.unknownField])
        #expect(try await bench.find("prio:high harbour").kinds.contains(.query))
    }

    @Test func `nothing ranks fields, so the newest comes first`() async throws {
        let results = try await mailbox().find("in:inbox")
        #expect(results.numbers == [8, 7, 6, 3, 2, 1])
        #expect(results.hits.allSatisfy { $0.score == 0 })
    }

    @Test func `a subject counts more than a text`() async throws {
        let bench = try SearchBench()
        try bench.write(1, "Weekly letter", "Some words on a lighthouse and on other things.")
        try bench.write(2, "The lighthouse", "Some words on a building and on other things.")
        try bench.write(3, "Weekly letter", "Some words on nothing and on other things.")
        try await bench.indexMail()
        let results = try await bench.find("lighthouse")
        #expect(results.numbers == [2, 1])
        #expect(results.hits.map { $0.explanation?.isInSubject } == [true, false])
        #expect(results.hits[0].score > results.hits[1].score)
    }

    @Test func `where few messages have all words, those with some follow and a notice says so`() async throws
    {
        let bench = try await mailbox()
        let results = try await bench.find("harbour ropes invoice")
        #expect(results.exact.isEmpty)
        #expect(Set(results.numbers) == [1, 2, 3, 7])
        #expect(results.kinds == [.relaxed])
        // Fields and what is not wanted hold.
        #expect(try await Set(bench.find("harbour ropes invoice from:carl").numbers) == [3])
        #expect(try await Set(bench.find("harbour ropes -boat").numbers) == [2, 7])
        #expect(try await bench.find("harbour").kinds.isEmpty)
    }

    @Test func `what was typed in one is looked for word by word where nothing has it`() async throws {
        let bench = try await mailbox()
        let results = try await bench.find("harbour-ropes, invoice!")
        #expect(results.exact.isEmpty)
        #expect(Set(results.numbers) == [1, 2, 3, 7])
        // A phrase stays one.
        #expect(try await Set(bench.find("\"harbour ropes\" invoice").numbers) == [3])
    }

    @Test func `punctuation makes no other word`() throws {
        let words = try SearchBench.query("tide, (tide) tide! \"the tide.\" it's ?").root.plainWords
        #expect(words.map(\.text) == ["tide", "the tide", "it's"])
    }

    /// One search is asked again and again while the mail changes.
    @Test func `what was found once is not kept longer than it holds`() async throws {
        let bench = try await mailbox()
        let search = bench.search
        func find(_ text: String) async throws -> Set<Int> {
            let options = SearchOptions(mode: .words, limit: 100)
            return try await Set(search.search(SearchBench.query(text), options).numbers)
        }
        let fields = ["is:unread", "is:flagged", "has:link", "in:inbox", "date:2026-11-01.."]
        // The first time, the second, and once more from what is kept.
        for _ in 1...3 {
            #expect(try await find("is:unread") == [3, 4, 6])
            #expect(try await find("date:2026-11-04..2026-11-06") == [3, 4, 5])
            #expect(try await find("before:2026-11-03") == [1])
            for field in fields {
                #expect(try await find("harbour \(field)").isEmpty == (field.hasPrefix("is:")))
            }
        }
        let folder = bench.folder.url.appending(path: "Mail")
        let (old, new) = ("cur/3.a:2,F", "cur/3.a:2,FS")
        try FileManager.default.moveItem(at: folder.appending(path: old), to: folder.appending(path: new))
        try FileManager.default.removeItem(at: folder.appending(path: "cur/1.a:2,S"))
        try bench.write(9, "Late", "See https://example.org/late.", flags: "")
        try await bench.indexMail()
        #expect(try await find("is:unread") == [4, 6, 9])
        #expect(try await find("has:link") == [9])
        #expect(try await find("in:inbox") == [2, 3, 6, 7, 8, 9])
        #expect(try await find("since:2026-11-09") == [8, 9])
        #expect(try await find("before:2026-11-03") == [])
    }

    @Test func `dates stand under their messages' numbers, whichever are missing`() async throws {
        let bench = try await mailbox()
        let (before, all) = try await bench.index.read { database in
            var dates = DateColumn()
            try dates.update(database)
            let range = QueryRange(nil, 1_793_650_000)
            return (dates.messages(within: range), dates.messages(within: QueryRange(nil, nil)))
        }
        // The second of November 2026, 10:00, is 1,793,613,600; message 1 was written then.
        #expect((1...9).filter { before.contains($0) }.count == 1)
        #expect(all.count == 8)
    }

    @Test func `a category is the person's word, then the classifier's`() async throws {
        let bench = try await mailbox()
        try await bench.index.write { database in
            for (message, value) in [("m1", "forums"), ("m3", "forums"), ("m4", "forums"), ("m5", "updates")]
            {
                try database.execute(
                    sql:
                        "INSERT INTO result SELECT id, 'category', 'model', '1', ?, 0 FROM message WHERE messageID = ?",
                    arguments: [value, message + "@example.org"]
                )
            }
        }
        #expect(try await bench.find("category:forums").exact == [1, 3, 4])
        try await bench.index.importCorrections([
            Correction(kind: "category", key: "boats.lists.example.org", value: "Updates", made: 1),
            Correction(kind: "category", key: "carl@shop.example", value: "promotions", made: 1),
            Correction(kind: "category", key: "m5@example.org", value: "forums", made: 1),
        ])
        #expect(try await bench.find("category:forums").exact == [1, 5])
        #expect(try await bench.find("category:promotions").exact == [3])
        #expect(try await bench.find("category:updates").exact == [4])
    }

    @Test func `pages follow each other, and a thread is one hit`() async throws {
        let bench = try await mailbox()
        let all = try await bench.find("harbour")
        let first = try await bench.find("harbour") { $0.limit = 2 }
        let second = try await bench.find("harbour") { ($0.limit, $0.offset) = (2, 2) }
        #expect(first.numbers + second.numbers == all.numbers)
        #expect(first.found == 3)
        let threads = try await bench.find("harbour") { $0.grouping = .threads }
        #expect(threads.found == 2)
        let thread = try #require(threads.hits.first { $0.threadCount == 2 })
        #expect((thread.others, thread.threadName) == (1, "m1@example.org"))
        #expect(try await bench.find("harbour") { $0.limit = 0 }.found == 3)
    }

    @Test func `a hit shows its sentence and where it lies`() async throws {
        let bench = try SearchBench()
        let filler = Array(repeating: "Nothing of note happened here.", count: 40).joined(separator: " ")
        try bench.write(1, "Log", "\(filler) The Kraken was seen at dawn. \(filler)")
        try await bench.indexMail()
        let hit = try #require(try await bench.find("kraken") { $0.snippetLength = 60 }.hits.first)
        #expect(hit.snippet.text.hasPrefix("The Kraken was seen at dawn."))
        #expect(hit.snippet.marks == [4..<10])
        #expect(hit.snippet.isCutBefore && hit.snippet.isCutAfter)
        #expect(hit.path.hasSuffix("/Mail/cur/1.a:2,S"))
        #expect(hit.coverage.textRead == hit.coverage.textSize && hit.coverage.textRead > 2_000)
        #expect(hit.from == [MailAddress(name: "Ada Alder", address: "ada@example.org")])
    }

    @Test func `words that stand nearly everywhere are bounded, and told`() async throws {
        let bench = try SearchBench()
        for number in 1...30 { try bench.write(number, "Number \(number)", "The common word.") }
        try await bench.indexMail()
        let ranking = try await bench.index.read { database in
            var search = WordSearch(database: database, allowed: nil)
            search.mostRanked = 10
            let query = try SearchBench.query("common").root
            return try search.ranking("common", of: query)
        }
        #expect(ranking.hits.count == 10)
        #expect(ranking.isMore)
        #expect(ranking.notices.map(\.kind) == [.common])
        #expect(ranking.hits.map(\.message).min() == 21)
    }

    @Test func `an explanation says what was understood`() async throws {
        let results = try await mailbox().find("harbour from:ada")
        let explanation = try #require(results.explanation)
        #expect(explanation.understood == "harbour from:ada")
        #expect(explanation.wordsRanked == 3)
        #expect(explanation.vectors == 0)
        #expect(results.hits.map { $0.explanation?.wordRank } == [1, 2, 3])
        #expect(try await mailbox().find("harbour") { $0.isExplained = false }.explanation == nil)
    }

    @Test(arguments: [-1, 10_001]) func `a limit that cannot be one is an error`(limit: Int) async throws {
        let bench = try SearchBench()
        let error = await #expect(throws: BreezeError.self) {
            try await bench.find("x") { $0.limit = limit }
        }
        #expect(error?.code == .invalidParameter)
    }
}
#endif
