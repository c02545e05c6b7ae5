import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeTransport

/// A fault server, and the transport under test with a ledger of its own.
struct TransportBench: Sendable {
    let server: FaultServer
    let transport: AsyncHTTPTransport
    let ledger: EgressLedger
    let folder: ScratchFolder

    static func run(
        clock: any Clock<Duration> = ContinuousClock(),
        trusts: Bool = true,
        egress: EgressSwitch = .alwaysAllowed,
        client: EgressClient? = nil,
        _ body: @escaping @Sendable (TransportBench) async throws -> Void
    ) async throws {
        try await FaultServer.run { server in
            let folder = try ScratchFolder()
            var settings = TransportSettings(environment: [:])
            if trusts { settings.extraTrustRoots = server.trustRoot }
            let ledger = EgressLedger(url: folder.url.appending(path: "egress.jsonl"))
            let transport = try AsyncHTTPTransport(
                ledger: ledger,
                version: "1.2.3",
                settings: settings,
                clock: clock,
                egress: egress,
                client: client
            )
            try await body(
                TransportBench(server: server, transport: transport, ledger: ledger, folder: folder)
            )
        }
    }

    func get(_ path: String, on port: FaultServer.Port = .https, _ headers: HeaderFields = [:]) async throws
        -> HTTPResponse
    {
        let request = HTTPRequest(
            "GET",
            try server.url(path, on: port),
            purpose: .modelDownload,
            headers: headers
        )
        return try await transport.send(request)
    }

    func failure(_ path: String, on port: FaultServer.Port = .https) async throws -> BreezeError? {
        await #expect(throws: BreezeError.self) {
            _ = try await get(path, on: port).body.collect(upTo: 1 << 24)
        }
    }
}

@Suite(.enabled(if: Oracle.python != nil, "no Python: run make setup"))
struct `The transport against a server` {
    @Test func `says nothing of who asks`() async throws {
        try await TransportBench.run { bench in
            try await bench.server.script("/a", #"[{"text":"hello"}]"#)
            let response = try await bench.get("/a?q=1", ["X-Mine": "1"])
            #expect(response.status == 200)
            #expect(try await response.body.collect(upTo: 100) == Array("hello".utf8))
            let entry = try #require(try await bench.server.log("/a").first)
            #expect(entry.query == "q=1")
            #expect(Set(entry.headers.keys) == ["host", "user-agent", "accept-encoding", "x-mine"])
            #expect(entry.headers["user-agent"] == "breeze/1.2.3")
            #expect(entry.headers["accept-encoding"] == "identity")
        }
    }

    @Test func `every hop is in the ledger, and another server gets no credentials`() async throws {
        try await TransportBench.run { bench in
            try await bench.server.script(
                "/model",
                #"[{"status":302,"headers":{"Location":"{cdn}/blob?Signature=s3cret"},"text":""}]"#
            )
            try await bench.server.script("/blob", #"[{"seed":1,"size":5000}]"#)
            let response = try await bench.get("/model", ["Authorization": "Bearer token"])
            #expect(try await response.body.collect(upTo: 10_000).count == 5_000)
            #expect(try await bench.server.log("/model").first?.headers["authorization"] == "Bearer token")
            let second = try #require(try await bench.server.log("/blob").first)
            #expect(second.headers["authorization"] == nil)
            #expect(second.query == "Signature=s3cret" && second.port == "cdn")
            let entries = try await bench.ledger.entries(last: 10)
            #expect(entries.map(\.port) == [bench.server.port(), bench.server.port(.cdn)])
            #expect(entries.map(\.status) == [302, 200])
            #expect(entries.map(\.outcome) == [.finished, .finished])
            #expect(
                entries.allSatisfy {
                    $0.purpose == .modelDownload && $0.host == "localhost" && $0.bytesUp > 50
                }
            )
            #expect((5_000..<5_300).contains(entries.last?.bytesDown ?? 0))
            let file = bench.folder.url.appending(path: "egress.jsonl")
            #expect(try !String(contentsOf: file, encoding: .utf8).contains("s3cret"))
        }
    }

    @Test func `ten redirects are followed and an eleventh is not`() async throws {
        try await TransportBench.run { bench in
            let hop = #"{"status":302,"headers":{"Location":"/a"},"text":""}"#
            let hops = Array(repeating: hop, count: 10).joined(separator: ",")
            try await bench.server.script("/a", #"[\#(hops),{"text":"there"}]"#)
            #expect(try await bench.get("/a").body.collect(upTo: 10).count == 5)
            try await bench.server.script("/a", "[\(hop)]")
            #expect(try await bench.failure("/a")?.code == .invalidResponse)
            #expect(try await bench.server.log("/a").count == 11 + 11)
        }
    }

    @Test func `https never leads to http, though to this device`() async throws {
        try await TransportBench.run { bench in
            try await bench.server.script(
                "/a",
                #"[{"status":302,"headers":{"Location":"{http}/b"},"text":""}]"#
            )
            try await bench.server.script("/b", #"[{"text":"plain"}]"#)
            #expect(try await bench.failure("/a")?.code == .insecureConnection)
            #expect(try await bench.server.log("/b").isEmpty)
            #expect(try await bench.get("/b", on: .http).body.collect(upTo: 10).count == 5)
        }
    }

    @Test func `a server that nobody vouches for is not spoken to`() async throws {
        try await TransportBench.run(trusts: false) { bench in
            try await bench.server.script("/a", #"[{"text":"hello"}]"#)
            #expect(try await bench.failure("/a?k=s3cret")?.code == .insecureConnection)
            #expect(try await bench.server.log("/a").isEmpty)
            #expect(try await bench.ledger.entries(last: 1).map(\.outcome) == [.failed])
        }
    }

    @Test func `nobody there is an error at once, without the query in it`() async throws {
        try await TransportBench.run { bench in
            // Port 1 of loopback: nobody listens there.
            let url = try #require(URL(string: "https://localhost:1/a?k=s3cret"))
            let error = await #expect(throws: BreezeError.self) {
                _ = try await bench.transport.send(HTTPRequest("GET", url, purpose: .modelSearch))
            }
            #expect(error?.code == .resourceUnavailable)
            #expect(error.map { "\($0) \(String(describing: $0.underlying))" }?.contains("s3cret") == false)
        }
    }

    @Test(arguments: [
        (#"{"raw":"this is no HTTP\r\n\r\n"}"#, "invalid_response"),
        (
            #"{"raw":"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"}"#,
            "invalid_response"
        ),
        (
            #"{"text":"hello","headers":{"X":"\#(String(repeating: "x", count: 200_000))"}}"#,
            "invalid_response"
        ),
        (#"{"seed":1,"size":9000,"end_after":5000}"#, "resource_unavailable"),
        (#"{"seed":1,"size":9000,"chunked":true,"end_after":5000}"#, "resource_unavailable"),
        (#"{"seed":1,"size":5000,"length":9000}"#, "resource_unavailable"),
        (#"{"raw":""}"#, "resource_unavailable"),
    ])
    func `a broken answer is a typed error`(step: String, code: String) async throws {
        try await TransportBench.run { bench in
            try await bench.server.script("/a", "[\(step)]")
            #expect(try await bench.failure("/a")?.code.rawValue == code)
            #expect(try await bench.ledger.entries(last: 1).map(\.outcome) == [.failed])
        }
    }

    @Test func `a server that falls silent within its answer is a timeout`() async throws {
        let clock = ManualClock()
        try await TransportBench.run(clock: clock) { bench in
            try await bench.server.script("/a", #"[{"seed":1,"size":9000,"stall_after":5000}]"#)
            var body = try await bench.get("/a").body.makeAsyncIterator()
            var received = 0
            while received < 5_000 { received += try await body.next()?.count ?? 0 }
            // The clock goes on whenever the watch has laid itself down, until it finds that nothing came.
            let time = Task {
                while !Task.isCancelled {
                    await clock.sleeper(within: .seconds(30))
                    clock.advance(by: .seconds(30))
                    await Task.yield()
                }
            }
            let error = await #expect(throws: BreezeError.self) { _ = try await body.next() }
            time.cancel()
            #expect(error?.code == .timeout)
            #expect(error?.message.contains("30 s") == true)
            try await bench.server.wait("/a", closed: 1)
        }
    }

    @Test func `a server that never begins to answer is a timeout`() async throws {
        let clock = ManualClock()
        try await TransportBench.run(clock: clock) { bench in
            try await bench.server.script("/a", #"[{"raw":"HTTP/1.1 200 OK\r\n","hold":true}]"#)
            let failing = Task { try await bench.failure("/a") }
            await clock.sleeper(within: .seconds(45))
            clock.advance(by: .seconds(45))
            #expect(try await failing.value?.code == .timeout)
        }
    }

    @Test func `dropping the body closes the connection, and a slow reader holds the server back`()
        async throws
    {
        try await TransportBench.run { bench in
            try await bench.server.script("/a", #"[{"seed":1,"size":100000000}]"#)
            try await bench.server.script("/b", #"[{"text":"b"}]"#)
            do {
                let response = try await bench.get("/a")
                var body = response.body.makeAsyncIterator()
                #expect(try await body.next()?.isEmpty == false)
                // While others are served, this one waits for its reader.
                for _ in 0..<20 { _ = try await bench.get("/b").body.collect(upTo: 10) }
                #expect(try #require(try await bench.server.log("/a").first).sent < 30_000_000)
            }
            try await bench.server.wait("/a", closed: 1)
            let entry = try #require(try await bench.server.log("/a").first)
            #expect(!entry.whole && entry.sent < 30_000_000)
        }
    }

    @Test func `cancelling the reader closes the connection`() async throws {
        try await TransportBench.run { bench in
            try await bench.server.script("/a", #"[{"seed":1,"size":9000,"stall_after":5000}]"#)
            let reading = Task { try await bench.get("/a").body.collect(upTo: 10_000) }
            try await bench.server.wait("/a", bytes: 5_000)
            reading.cancel()
            await #expect(throws: CancellationError.self) { _ = try await reading.value }
            try await bench.server.wait("/a", closed: 1)
        }
    }

    @Test func `nothing is sent that cannot be written down`() async throws {
        try await TransportBench.run { bench in
            try await bench.server.script("/a", #"[{"text":"hello"}]"#)
            var settings = TransportSettings(environment: [:])
            settings.extraTrustRoots = bench.server.trustRoot
            let ledger = EgressLedger(url: bench.folder.url.appending(path: "missing/egress.jsonl"))
            let transport = try AsyncHTTPTransport(ledger: ledger, version: "1", settings: settings)
            let request = HTTPRequest("GET", try bench.server.url("/a"), purpose: .modelSearch)
            let error = await #expect(throws: BreezeError.self) { _ = try await transport.send(request) }
            #expect(error?.code == .inputOutput)
            #expect(try await bench.server.log("/a").isEmpty)
        }
    }

    @Test func `trust roots that are none are a wrong setting`() throws {
        let folder = try ScratchFolder()
        var settings = TransportSettings(environment: [:])
        settings.extraTrustRoots = try folder.write("ca.pem", "hello")
        let ledger = EgressLedger(url: folder.url.appending(path: "egress.jsonl"))
        let error = #expect(throws: BreezeError.self) {
            _ = try AsyncHTTPTransport(ledger: ledger, version: "1", settings: settings)
        }
        #expect(error?.code == .invalidSetting)
    }
}
