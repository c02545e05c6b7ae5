import BreezeCore
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeTransport

/// A switch that a test throws by hand.
private final class Hand: Sendable {
    private let state = Mutex(false)

    func set(_ isForbidden: Bool) { state.withLock { $0 = isForbidden } }
    var isForbidden: Bool { state.withLock { $0 } }

    func egress(_ clock: any Clock<Duration> = ContinuousClock()) -> EgressSwitch {
        EgressSwitch(askedEvery: .milliseconds(250), clock: clock) { self.isForbidden }
    }
}

@Suite(.enabled(if: Oracle.python != nil, "no Python: run make setup"))
struct `The switch that keeps everything on the device` {
    private struct Unreadable: Error {}

    @Test func `nothing is sent, and the ledger says what was refused`() async throws {
        try await TransportBench.run(egress: EgressSwitch { true }) { bench in
            try await bench.server.script("/a", #"[{"text":"hello"}]"#)
            let error = try await bench.failure("/a")
            #expect(error?.code == .egressForbidden)
            #expect(error?.message == "Nothing leaves this device, since privacy.offline is set.")
            #expect(error?.remedy == "breeze egress allow")
            #expect(try await bench.server.log("/a").isEmpty)
            let entry = try #require(try await bench.ledger.entries(last: 10).first)
            #expect(entry.outcome == .refused && entry.bytesUp == 0 && entry.bytesDown == 0)
            #expect(entry.host == "localhost" && entry.port == bench.server.port() && entry.status == nil)
        }
    }

    @Test func `where nobody can tell, nothing is sent`() async throws {
        try await TransportBench.run(egress: EgressSwitch { throw Unreadable() }) { bench in
            try await bench.server.script("/a", #"[{"text":"hello"}]"#)
            #expect(try await bench.failure("/a")?.code == .egressForbidden)
            #expect(try await bench.server.log("/a").isEmpty)
        }
    }

    @Test func `it is refused where the ledger cannot be written, too`() async throws {
        let folder = try ScratchFolder()
        let ledger = EgressLedger(url: folder.url.appending(path: "missing/egress.jsonl"))
        let transport = try AsyncHTTPTransport(ledger: ledger, version: "1", egress: EgressSwitch { true })
        let url = try #require(URL(string: "https://localhost:1/a"))
        let error = await #expect(throws: BreezeError.self) {
            _ = try await transport.send(HTTPRequest("GET", url, purpose: .modelSearch))
        }
        #expect(error?.code == .egressForbidden)
    }

    @Test func `a redirect is not followed once it is thrown`() async throws {
        let asked = Mutex(0)
        // The first hop is allowed and the second is not.
        let egress = EgressSwitch(clock: ManualClock()) {
            asked.withLock { count in
                count += 1
                return count > 1
            }
        }
        try await TransportBench.run(egress: egress) { bench in
            try await bench.server.script(
                "/a",
                #"[{"status":302,"headers":{"Location":"{cdn}/b"},"text":""}]"#
            )
            try await bench.server.script("/b", #"[{"text":"there"}]"#)
            #expect(try await bench.failure("/a")?.code == .egressForbidden)
            #expect(try await bench.server.log("/a").count == 1)
            #expect(try await bench.server.log("/b").isEmpty)
            let entries = try await bench.ledger.entries(last: 10)
            #expect(entries.map(\.outcome) == [.finished, .refused])
            #expect(entries.map(\.port) == [bench.server.port(), bench.server.port(.cdn)])
        }
    }

    @Test func `a body ends within the interval, and its connection with it`() async throws {
        let (hand, clock) = (Hand(), ManualClock())
        try await TransportBench.run(egress: hand.egress(clock)) { bench in
            try await bench.server.script("/a", #"[{"seed":1,"size":9000,"stall_after":5000}]"#)
            var body = try await bench.get("/a").body.makeAsyncIterator()
            var received = 0
            while received < 5_000 { received += try await body.next()?.count ?? 0 }
            // Asked once while it is allowed: that ends nothing, and the next sleep tells that it was asked.
            await clock.sleeper(within: .milliseconds(250))
            clock.advance(by: .milliseconds(250))
            await clock.sleeper(within: .milliseconds(250))
            hand.set(true)
            clock.advance(by: .milliseconds(250))
            let error = await #expect(throws: BreezeError.self) { _ = try await body.next() }
            #expect(error?.code == .egressForbidden)
            try await bench.server.wait("/a", closed: 1)
            let entry = try #require(try await bench.ledger.entries(last: 1).first)
            #expect(entry.outcome == .stopped && entry.bytesDown > 5_000 && entry.status == 200)
        }
    }

    @Test func `an answer that has not begun is not waited for`() async throws {
        let (hand, clock) = (Hand(), ManualClock())
        try await TransportBench.run(egress: hand.egress(clock)) { bench in
            try await bench.server.script("/a", #"[{"raw":"HTTP/1.1 200 OK\r\n","hold":true}]"#)
            let failing = Task { try await bench.failure("/a") }
            await clock.sleeper(within: .milliseconds(250))
            hand.set(true)
            clock.advance(by: .milliseconds(250))
            #expect(try await failing.value?.code == .egressForbidden)
            #expect(try await bench.ledger.entries(last: 1).map(\.outcome) == [.stopped])
        }
    }

    @Test func `every hop says for whom it was`() async throws {
        try await TransportBench.run(client: .owner) { bench in
            try await bench.server.script(
                "/a",
                #"[{"status":302,"headers":{"Location":"{cdn}/b"},"text":""}]"#
            )
            try await bench.server.script("/b", #"[{"text":"there"}]"#)
            _ = try await bench.get("/a")
            try await EgressClient.$current.withValue(.app("3kX9")) {
                // As a download has it that outlives who asked for it.
                _ = try await Task { try await bench.get("/a") }.value
            }
            let clients = try await bench.ledger.entries(last: 10).map(\.client?.rawValue)
            #expect(clients == ["owner", "owner", "app:3kX9", "app:3kX9"])
            #expect(EgressClient(rawValue: "app:3kX9").app == "3kX9" && EgressClient.owner.app == nil)
        }
    }
}
