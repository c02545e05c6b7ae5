#if Hub
import BreezeAccess
import BreezeCore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@Suite struct AuditTests {
    private let stop = RequestOutcome("stop")

    @Test func `an entry says who, when, what, where, how long, and how much`() async throws {
        let fixture = try Fixture()
        let (app, key) = try await fixture.app()
        let grant = try fixture.access.ask(key, from: .unixSocket(uid: 1000), request: "req-1")
        fixture.watch.advance(by: 3)
        grant.settle(
            RequestOutcome(
                "length",
                model: "mock-llm",
                runner: "mock:mock-llm",
                locality: .onDevice,
                usage: Usage(inputTokens: 11, outputTokens: 22),
                bytesIn: 33,
                bytesOut: 44,
                timings: Timings(queue: 0.25, load: 0.5, run: 1.5, total: 2.5)
            )
        )
        let page = try await fixture.access.audit()
        let object = try JSONSerialization.jsonObject(with: try page.json())
        let expected: [String: Any] = [
            "time": "2026-03-02T10:00:00.000Z", "request": "req-1", "who": "app", "app": app.id, "uid": 1000,
            "action": "run", "capability": "chat", "model": "mock-llm", "runner": "mock:mock-llm",
            "locality": "onDevice", "outcome": "length", "tokensIn": 11, "tokensOut": 22, "bytesIn": 33,
            "bytesOut": 44, "queueSeconds": 0.25, "loadSeconds": 0.5, "runSeconds": 1.5, "totalSeconds": 2.5,
            "count": 1,
        ]
        #expect(object as? NSDictionary == ["entries": [expected]] as NSDictionary)
    }

    @Test func `what a client calls a thing cannot forge a line`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app().key
        let name =
            "llama\n2026-03-02 owner approved everything\u{1B}[2J\u{202E}"
            + String(repeating: "x", count: 999)
        try fixture.access.ask(key, request: "a\r\nb").settle(
            RequestOutcome("stop", model: name, runner: "r\u{0}")
        )
        let entry = try #require(try await fixture.access.audit().entries.first)
        #expect(entry.request == "a\u{FFFD}\u{FFFD}b")
        #expect(entry.runner == "r\u{FFFD}")
        #expect(entry.model?.unicodeScalars.count == 201)
        #expect(entry.model?.unicodeScalars.contains { $0.properties.generalCategory == .control } == false)
    }

    @Test func `failures and denials are in it, the same denial once with its count`() async throws {
        let fixture = try Fixture()
        let (app, key) = try await fixture.app()
        try fixture.access.ask(key).settle(.failed(BreezeError(.timeout, "late")))
        try fixture.access.ask(key).settle(.failed(BreezeError(.cancelled, "gone")))
        for _ in 0..<1000 { _ = fixture.access.refusal("brz_guess") }
        for _ in 0..<7 { _ = fixture.access.refusal(key, .models) }
        let entries = try await fixture.access.audit().entries
        #expect(entries.map(\.who) == ["app", "unknown", "app", "app"])
        #expect(entries.map(\.outcome) == ["denied", "denied", "cancelled", "error"])
        #expect(entries.map(\.error) == ["scope_denied", "invalid_key", "cancelled", "timeout"])
        #expect(entries.map(\.count) == [7, 1000, 1, 1])
        #expect(entries.map(\.app) == [app.id, nil, app.id, app.id])
    }

    @Test func `a week of the audit log as JSON from a simulated clock`() async throws {
        let fixture = try Fixture(at: "2026-03-02T00:00:00Z")
        let start = fixture.watch.now
        let (mail, mailKey) = try await fixture.app("Mail")
        let (notes, notesKey) = try await fixture.app("Notes", AppScopes([.embedding: .onDevice]))
        // Every hour one of Mail, every third one of Notes besides.
        for hour in 0..<(7 * 24) {
            fixture.watch.set(start.addingTimeInterval(Double(hour) * 3600))
            let usage = Usage(inputTokens: hour, outputTokens: 1)
            try fixture.access.ask(mailKey, request: "m\(hour)").settle(RequestOutcome("stop", usage: usage))
            guard hour.isMultiple(of: 3) else { continue }
            try fixture.access.ask(notesKey, .inference(.embedding), request: "n\(hour)").settle(stop)
        }
        var (pages, cursor) = (0, AuditPage.Cursor?.none)
        var found: [[String: Any]] = []
        repeat {
            let page = try await fixture.access.audit(
                since: start,
                until: start.addingTimeInterval(7 * 86_400),
                limit: 100,
                before: cursor
            )
            let object = try JSONSerialization.jsonObject(with: try page.json()) as? [String: Any]
            found += object?["entries"] as? [[String: Any]] ?? []
            cursor = (object?["next"] as? String).flatMap(AuditPage.Cursor.init)
            #expect(cursor == page.next)
            pages += 1
        } while cursor != nil
        #expect(pages == 3)
        #expect(found.count == 168 + 56)
        #expect(found.first?["time"] as? String == "2026-03-08T23:00:00.000Z")
        #expect(found.last?["time"] as? String == "2026-03-02T00:00:00.000Z")
        let times = found.compactMap { $0["time"] as? String }
        #expect(times == times.sorted(by: >))
        #expect(Set(found.compactMap { $0["request"] as? String }).count == 224)
        // 0 + 1 + … + 167
        #expect(found.compactMap { $0["tokensIn"] as? Int }.reduce(0, +) == 14_028)
        let ofNotes = try await fixture.access.audit(app: notes.id, limit: 1000).entries
        #expect(
            ofNotes.count == 56 && ofNotes.allSatisfy { $0.app == notes.id && $0.capability == "embedding" }
        )
        let tuesday = try await fixture.access.audit(
            since: start.addingTimeInterval(86_400),
            until: start.addingTimeInterval(2 * 86_400),
            app: mail.id,
            limit: 1000
        )
        #expect(tuesday.entries.map(\.request) == (24..<48).reversed().map { "m\($0)" })
    }

    @Test func `pages meet without a gap where many came in one moment`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app().key
        for index in 0..<25 { try fixture.access.ask(key, request: "\(index)").settle(stop) }
        var (requests, cursor) = ([String](), AuditPage.Cursor?.none)
        repeat {
            let page = try await fixture.access.audit(limit: 10, before: cursor)
            requests += page.entries.map(\.request)
            cursor = page.next
        } while cursor != nil
        #expect(requests == (0..<25).reversed().map { "\($0)" })
    }

    @Test(arguments: [0, -1, 10_001])
    func `a page of no length, or of too much, is refused`(limit: Int) async throws {
        let fixture = try Fixture()
        await #expect(throws: BreezeError.self) { try await fixture.access.audit(limit: limit) }
    }

    @Test(arguments: ["", "1", "1-", "-1-2", "1-2-3", "01-2", "a-b", "1-2;DROP TABLE audit"])
    func `a cursor that is none is refused`(text: String) {
        #expect(AuditPage.Cursor(text) == nil)
    }

    // MARK: - How long it is kept

    @Test func `what is older than the limit goes`() async throws {
        let fixture = try Fixture { $0.retention = AuditRetention(days: 3, rows: 1000) }
        let key = try await fixture.app().key
        for day in 0..<6 {
            try fixture.access.ask(key, request: "\(day)").settle(stop)
            try await fixture.access.flush()
            if day < 5 { fixture.watch.advance(by: 86_400) }
        }
        let kept = try await fixture.access.audit().entries.map(\.request)
        // Of the third day, exactly as old as the limit, too.
        #expect(kept == ["5", "4", "3", "2"])
    }

    @Test func `what is beyond the number of rows goes, the oldest first`() async throws {
        let fixture = try Fixture { $0.retention = AuditRetention(days: 30, rows: 10) }
        let key = try await fixture.app().key
        for index in 0..<25 { try fixture.access.ask(key, request: "\(index)").settle(stop) }
        let kept = try await fixture.access.audit().entries.map(\.request)
        #expect(kept == (15..<25).reversed().map { "\($0)" })
        // It is looked after once a minute.
        try fixture.access.ask(key, request: "25").settle(stop)
        #expect(try await fixture.access.audit().entries.count == 11)
        fixture.watch.advance(by: 60)
        try await fixture.access.flush()
        #expect(try await fixture.access.audit().entries.count == 10)
    }

    // MARK: - The queue

    @Test func `who cannot be written down is not let in`() async throws {
        let fixture = try Fixture { $0.queueCapacity = 16 }
        let key = try await fixture.app().key
        var running = try (0..<5).map { _ in try fixture.access.ask(key) }
        running.prefix(2).forEach { $0.settle(stop) }
        for _ in 0..<11 { running.append(try fixture.access.ask(key)) }
        let error = fixture.access.refusal(key)
        #expect(error?.code == .busy)
        #expect(error?.retryAfter == .seconds(1))
        for grant in running { grant.settle(stop) }
        try await fixture.access.flush()
        #expect(fixture.access.refusal(key) == nil)
        let entries = try await fixture.access.audit().entries
        #expect(entries.count { $0.outcome == "stop" } == 17)
        #expect(entries.count { $0.error == "busy" } == 1)
    }

    @Test func `denials take no more than a part of the queue`() async throws {
        let fixture = try Fixture { $0.queueCapacity = 16 }
        let key = try await fixture.app().key
        for number in 0..<100 {
            _ = fixture.access.refusal(key, .inference(AICapability(rawValue: "c\(number)")))
        }
        #expect(fixture.access.health().queued == 4)
        #expect(fixture.access.health().omittedDenials == 96)
        #expect(fixture.access.refusal(key) == nil)
    }

    @Test func `what cannot be written now is written later, in order, and is not lost`() async throws {
        let fixture = try Fixture()
        let (app, key) = try await fixture.app()
        try await fixture.access.flush()
        let other = try DatabaseQueue(path: fixture.file.path)
        try await other.write { try $0.execute(sql: "ALTER TABLE audit RENAME TO gone") }
        for index in 0..<3 { try fixture.access.ask(key, request: "\(index)").settle(stop) }
        await #expect(throws: BreezeError.self) { try await fixture.access.flush() }
        #expect(fixture.access.health().fault != nil)
        try fixture.access.ask(key, request: "3").settle(stop)
        try await other.write { try $0.execute(sql: "ALTER TABLE gone RENAME TO audit") }
        let entries = try await fixture.access.audit().entries
        #expect(entries.map(\.request) == ["3", "2", "1", "0"])
        #expect(fixture.access.health().fault == nil)
        try other.close()
        try await fixture.access.close()
        #expect(try fixture.again().gate.useToday(of: app.id).requests == 4)
    }

    @Test func `what is queued is written when the hub stops`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app().key
        let access = fixture.access
        let running = Task { await access.run() }
        for index in 0..<50 { try access.ask(key, request: "\(index)").settle(stop) }
        running.cancel()
        await running.value
        #expect(access.health().queued == 0)
        #expect(try await fixture.again().audit(limit: 1000).entries.count == 50)
    }

    @Test func `after a crash all is there that was written`() async throws {
        let fixture = try Fixture()
        let (app, key) = try await fixture.app(quota: Quota(requests: 3))
        for _ in 0..<2 { try fixture.access.ask(key).settle(stop) }
        try await fixture.access.flush()
        // Lost with the crash.
        try fixture.access.ask(key).settle(stop)
        let after = try ScratchFolder()
        let folder = after.url.appending(path: "access")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: fixture.file.path + suffix,
                toPath: folder.path + "/access.sqlite" + suffix
            )
        }
        let again = try Fixture(in: after).access
        #expect(again.notices.isEmpty)
        #expect(again.apps().map(\.id) == [app.id])
        #expect(again.gate.useToday(of: app.id).requests == 2)
        #expect(try await again.audit().entries.count == 2)
    }

    @Test func `a damaged file is said, and lets nobody in`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app().key
        try await fixture.access.close()
        try Data("not a database at all, whatever its name may say".utf8).write(to: fixture.file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: fixture.file.path)
        let again = try fixture.again()
        #expect(again.notices.count == 1)
        #expect(again.notices.first?.contains("access.sqlite.damaged-") == true)
        #expect(again.refusal(key)?.code == .invalidKey)
    }
}
#endif
