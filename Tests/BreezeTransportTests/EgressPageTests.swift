import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeTransport

@Suite struct `Pages of the egress ledger` {
    private let folder: ScratchFolder
    private var file: URL { folder.url.appending(path: "egress.jsonl") }

    init() throws {
        folder = try ScratchFolder()
    }

    /// About twelve lines a file; all readings of the clock are the same.
    private func ledger(keptFiles: Int = 40) -> EgressLedger {
        EgressLedger(url: file, maximumBytes: 2_500, keptFiles: keptFiles) {
            Date(timeIntervalSince1970: 1_700_000_000.123)
        }
    }

    private func begin(_ ledger: EgressLedger, _ number: Int) async throws -> EgressEntry {
        let url = try #require(URL(string: "https://host\(number).example"))
        return try await ledger.begin(url, purpose: .modelSearch, client: .owner, bytesUp: 10)
    }

    /// Each connection is begun before the one before it is over.
    private func fill(_ ledger: EgressLedger, _ numbers: Range<Int>) async throws {
        var last: EgressEntry?
        for number in numbers {
            let entry = try await begin(ledger, number)
            if let last { await ledger.end(last) }
            last = entry
            last?.outcome = .finished
        }
        if let last { await ledger.end(last) }
    }

    @Test(arguments: [1, 7, 50, 1_000])
    func `pages hold every connection once, newest first, over all files`(limit: Int) async throws {
        let ledger = ledger()
        try await fill(ledger, 0..<100)
        #expect(FileManager.default.fileExists(atPath: file.path + ".5"))
        var (hosts, cursor, pages): ([String], EgressPage.Cursor?, Int) = ([], nil, 0)
        repeat {
            let page = try await ledger.page(limit: limit, before: cursor)
            #expect(page.entries.allSatisfy { $0.outcome == .finished })
            hosts += page.entries.map(\.host)
            cursor = page.next
            pages += 1
        } while cursor != nil
        #expect(hosts == (0..<100).reversed().map { "host\($0).example" })
        #expect(pages == (100 + limit - 1) / limit)
    }

    @Test func `a page stays where it is while the ledger grows and rotates`() async throws {
        let ledger = ledger()
        try await fill(ledger, 0..<40)
        let first = try await ledger.page(limit: 10)
        let cursor = try #require(first.next.flatMap { EgressPage.Cursor($0.description) })
        let before = try await ledger.page(limit: 10, before: cursor)
        try await fill(ledger, 40..<100)
        let after = try await ledger.page(limit: 10, before: cursor)
        #expect(before == after)
        #expect(after.entries.map(\.host) == (20..<30).reversed().map { "host\($0).example" })
    }

    @Test func `what was rotated away ends the pages`() async throws {
        let ledger = ledger(keptFiles: 2)
        try await fill(ledger, 0..<100)
        let page = try await ledger.page(limit: 1_000)
        #expect(page.next == nil)
        #expect(page.entries.first?.host == "host99.example")
        #expect((10..<50).contains(page.entries.count))
    }

    @Test func `there is no page of a ledger that is not there`() async throws {
        let page = try await ledger().page(limit: 10)
        #expect(page.entries.isEmpty && page.next == nil)
    }

    @Test func `a ledger that cannot be read is an error`() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let error = await #expect(throws: BreezeError.self) { _ = try await ledger().page(limit: 10) }
        #expect(error?.code == .inputOutput)
    }

    /// As the ledger was written before it said for whom a connection was.
    @Test func `lines of before are read`() async throws {
        let line = #"""
            {"bytesDown":1234,"bytesUp":10,"host":"a.example","id":"9F0B0A4C-2B1E-4F0F-9B1C-0A7B3C1D2E3F",\#
            "outcome":"finished","port":443,"purpose":"model_search","status":200,"time":1700000000000}
            """#
        // What another writer may make of the order of the keys.
        let other = #"""
            {"time":1700000001000.5,"id":"9F0B0A4C-2B1E-4F0F-9B1C-0A7B3C1D2E40","host":"b.example","port":443,\#
            "purpose":"model_search","bytesUp":1,"bytesDown":2,"outcome":"failed"}
            """#
        try Data((line + "\n" + other + "\n").utf8).write(to: file)
        let page = try await ledger().page(limit: 10)
        #expect(page.entries.map(\.host) == ["b.example", "a.example"])
        #expect(page.entries.map(\.client) == [nil, nil])
        #expect(page.entries.last?.time == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(page.entries.last?.bytesDown == 1_234 && page.entries.first?.outcome == .failed)
    }

    @Test(arguments: ["", "1", "1-", "x-9F0B0A4C-2B1E-4F0F-9B1C-0A7B3C1D2E3F", "1-2"])
    func `what is no cursor is none`(text: String) {
        #expect(EgressPage.Cursor(text) == nil)
    }
}
