#if Hub
import BreezeCore
import BreezeScheme
import BreezeStore
import BreezeTestSupport
import Foundation
import GRDB
import Testing

@testable import BreezeSchemeStore

/// A message counts once: over restarts, beside other processes, and wherever the clock goes.
@Suite struct LedgerTests {
    private let home: Home

    init() throws { home = try Home() }

    @Test func `a URL that was taken is refused by the next process, whatever the clock says`() throws {
        let paired = try pair(home)
        var session = AppSession(paired.app, keys: paired.keys)
        let message = try session.seal(.status, at: now).bytes
        var store = try home.open()
        var hub = try receiver(store)
        _ = try hub.receive(message, at: SchemeMoment(wall: now, uptime: 500))
        try store.close()
        for wall in [now, now + minute, now - 3_600_000] {
            store = try home.open()
            hub = try receiver(store, uptime: 900)
            let moment = SchemeMoment(wall: wall, uptime: 900)
            #expect(refusal { _ = try hub.receive(message, at: moment) } == "replayed")
            try store.close()
        }
    }

    @Test func `what was forgotten stays expired with the clock set back`() throws {
        let paired = try pair(home)
        var session = AppSession(paired.app, keys: paired.keys)
        let message = try session.seal(.status, at: now).bytes
        var store = try home.open()
        var hub = try receiver(store)
        _ = try hub.receive(message, at: SchemeMoment(wall: now, uptime: 0))
        let later = try session.seal(.status, at: now + 3 * minute).bytes
        _ = try hub.receive(later, at: SchemeMoment(wall: now + 3 * minute, uptime: 0))
        try store.close()
        store = try home.open()
        hub = try receiver(store)
        let back = SchemeMoment(wall: now, uptime: 1)
        #expect(refusal { _ = try hub.receive(message, at: back) } == "message_expired")
        #expect(try store.last() == now + 3 * minute)
    }

    /// The ledger in memory is held against the published vectors; this one against it.
    @Test func `it decides like the ledger in memory, and one that is opened anew each time`() throws {
        let memory = MemoryLedger()
        var store = try home.open()
        var generator = SeededGenerator(seed: 21)
        let apps = try ["aaaaaaaaaaaa", "bbbbbbbbbbbb"].map { try #require(AppID($0)) }
        var time = now
        var seen: Set<String> = []
        for round in 0..<Soak.count(20_000) {
            time += Int64.random(in: -40_000...60_000, using: &generator)
            let app = try #require(apps.randomElement(using: &generator))
            let nonce = try nonce(Int.random(in: 0..<40, using: &generator))
            let expiry = UInt64(time + Int64.random(in: -20_000...330_000, using: &generator))
            let wanted = memory.take(nonce, of: app, until: expiry, at: time)
            #expect(try store.take(nonce, of: app, until: expiry, at: time) == wanted, "round \(round)")
            #expect(try store.last() == memory.last(), "round \(round)")
            seen.insert("\("\(wanted)".prefix { $0 != "(" }) \("\(wanted)".hasSuffix("true)"))")
            if round % 97 == 0 {
                try store.close()
                store = try home.open()
            }
        }
        #expect(seen == ["taken false", "expired false", "expired true", "replayed false"])
    }

    @Test func `a nonce is written through to the disk before its message runs`() throws {
        let store = try home.open()
        // SQLite's FULL is 2: the log is synced at each commit.
        #expect(try store.store.writeNow { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
    }

    @Test func `one app's nonces beyond the limit are refused, and another's are not`() throws {
        let store = try home.open()
        let app = try #require(AppID("aaaaaaaaaaaa"))
        // One transaction for what was taken before, as slow as the disk is.
        try store.store.writeNow { database in
            for number in 0..<4_095 {
                try database.execute(
                    sql: "INSERT INTO nonce (app, nonce, expiry) VALUES (?, ?, ?)",
                    arguments: [app.text, Data(nonce(number).bytes), now + minute]
                )
            }
        }
        let expiry = UInt64(now + 2 * minute)
        #expect(try store.take(nonce(5_000), of: app, until: expiry, at: now) == .taken(at: now))
        #expect(try store.take(nonce(5_001), of: app, until: expiry, at: now) == .full)
        let other = try #require(AppID("bbbbbbbbbbbb"))
        #expect(try store.take(nonce(1), of: other, until: expiry, at: now) == .taken(at: now))
        // When those of a minute are over there is room again, and the refused one used nothing up.
        #expect(
            try store.take(nonce(5_001), of: app, until: expiry, at: now + minute) == .taken(at: now + minute)
        )
    }

    @Test(.enabled(if: TestProgram.named("breeze-test-scheme") != nil, "breeze-test-scheme was not built"))
    func `of two processes at once one takes a message, and the other finds it taken`() async throws {
        try home.open().close()
        let program = try #require(TestProgram.named("breeze-test-scheme"))
        let count = 200
        let file = home.file.path
        let outputs = try await ChildPlaces.withOne {
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        try await ChildProcess(program, ["take", file, "\(count)"]).run().output
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        let lines = outputs.map { $0.split(separator: "\n") }
        #expect(lines.allSatisfy { $0.count == count })
        for number in 0..<count {
            let both = lines.map { $0[number] }.sorted()
            #expect(both == ["replayed \(number)", "taken \(number)"])
        }
    }

    @Test(.enabled(if: TestProgram.named("breeze-test-scheme") != nil, "breeze-test-scheme was not built"))
    func `what a killed process said that it took is taken`() async throws {
        let program = try #require(TestProgram.named("breeze-test-scheme"))
        let outcome = try await ChildProcess(program, ["take", home.file.path, "1000000"]).run { child in
            try await child.waits(for: "taken 25\n")
            try child.send(SIGKILL)
        }
        #expect(outcome.code == -SIGKILL)
        let said = outcome.output.split(separator: "\n").filter { $0.hasPrefix("taken") }.count
        #expect(said > 25)
        let store = try home.open()
        #expect(store.notices.isEmpty)
        let app = try #require(AppID("qk7lqbjjzrqh"))
        for number in 0..<said {
            let expiry = UInt64(now + 120_000)
            #expect(try store.take(nonce(number), of: app, until: expiry, at: now) == .replayed)
        }
    }

    @Test func `a damaged file is moved aside, and then nobody is paired and nothing can be repeated`() throws
    {
        let paired = try pair(home)
        var session = AppSession(paired.app, keys: paired.keys)
        let message = try session.seal(.status, at: now).bytes
        var store = try home.open()
        var hub = try receiver(store)
        _ = try hub.receive(message, at: SchemeMoment(wall: now, uptime: 0))
        try store.close()
        let rubbish = Data(repeating: 0x5A, count: 200)
        let handle = try FileHandle(forWritingTo: home.file)
        try handle.write(contentsOf: rubbish)
        try handle.close()
        store = try home.open()
        #expect(store.notices.count == 1)
        #expect(store.notices.first?.contains("scheme.sqlite.damaged-20270115T080000Z") == true)
        hub = try receiver(store)
        let moment = SchemeMoment(wall: now, uptime: 0)
        #expect(refusal { _ = try hub.receive(message, at: moment) } == "not_paired")
        // The key that is there goes on being used.
        try store.close()
        let anew = try pair(home)
        store = try home.open()
        #expect(try store.pairedApp(anew.app)?.callback.name == "mycoolapp")
    }
}
#endif
