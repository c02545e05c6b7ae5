import BreezeCore
import BreezeTestSupport
import BreezeTransport
import BreezeURLSessionTransport
import Foundation
import Testing

@testable import BreezeAPIRunner

/// Both ways out, against a server that does what servers do.
@Suite struct WayTests {
    private func runner(
        _ way: Way,
        _ server: ScriptedServer,
        _ folder: ScratchFolder,
        retry: RetryPolicy = .never,
        clock: any Clock<Duration> = ContinuousClock(),
        streams: Bool = true
    ) throws -> APIRunner {
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1"))
        return try Bench.runner(
            try way.transport(clock: clock, folder: folder.url),
            Bench.service(address, streams: streams),
            retry: retry,
            clock: clock
        )
    }

    @Test(arguments: Way.allCases)
    func `a stream arrives as it was sent, and the request as it was meant`(way: Way) async throws {
        let server = try ScriptedServer(.stream(Recordings.chat.utf8.map { [$0] }))
        let folder = try ScratchFolder()
        let (chunks, _) = try await Bench.collect(try runner(way, server, folder))
        #expect(chunks.text == "Grüße, 世界 👋")
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.path == "/v1/chat/completions")
        #expect(request.headers["authorization"] == "Bearer \(Bench.key)")
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["user-agent"] == "breeze/1.2.3")
        #expect(request.headers["cookie"] == nil)
        #expect(try JSONDecoder().decode(JSONValue.self, from: Data(request.body))["model"] == "acme/one")
    }

    @Test(arguments: Way.allCases)
    func `a piece is there before the next one is sent`(way: Way) async throws {
        let server = try ScriptedServer(.stream(Recordings.piece("first"), ending: .open))
        let folder = try ScratchFolder()
        let runner = try runner(way, server, folder)
        let stream = InferenceStream { sink in
            _ = try await runner.run(request: InferenceRequest(.chat, prompt: "hello"), into: sink)
        }
        for try await chunk in stream {
            #expect(chunk.text == "first")
            break
        }
        // Dropping the stream closed the connection.
        await server.reaches { $0.hangUps == 1 }
    }

    @Test(arguments: Way.allCases)
    func `cancelling before the first byte closes the connection`(way: Way) async throws {
        let server = try ScriptedServer(.init(ending: .open, isSilent: true))
        let folder = try ScratchFolder()
        let runner = try runner(way, server, folder)
        let work = Task { try await Bench.collect(runner) }
        await server.reaches { $0.requests == 1 }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        await server.reaches { $0.hangUps == 1 }
    }

    @Test(arguments: Way.allCases)
    func `a connection that breaks in mid-stream is an error, and nothing is sent again`(way: Way)
        async throws
    {
        let server = try ScriptedServer(.stream(Recordings.piece("half an"), ending: .cut))
        let folder = try ScratchFolder()
        let runner = try runner(way, server, folder, retry: RetryPolicy())
        let error = await #expect(throws: BreezeError.self) { try await Bench.collect(runner) }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.wasNeverSent == false)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Way.allCases)
    func `a whole answer that is cut is an error`(way: Way) async throws {
        var answer = ScriptedServer.Answer.json("{\"choices\":[{\"message\":{\"content\":\"ja\"}}]}")
        answer.ending = .cut
        let server = try ScriptedServer(answer)
        let folder = try ScratchFolder()
        let error = await #expect(throws: BreezeError.self) {
            try await Bench.collect(try runner(way, server, folder, streams: false))
        }
        #expect(error?.code == .resourceUnavailable)
    }

    @Test(arguments: Way.allCases)
    func `a connection that closes without an answer is not asked again`(way: Way) async throws {
        let server = try ScriptedServer(.init(isSilent: true))
        let folder = try ScratchFolder()
        let runner = try runner(way, server, folder, retry: RetryPolicy(), clock: ContinuousClock())
        let error = await #expect(throws: BreezeError.self) { try await Bench.collect(runner) }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.wasNeverSent == false)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Way.allCases)
    func `a refused connection is known as one where nothing was sent`(way: Way) async throws {
        let server = try ScriptedServer(.stream(Recordings.chat))
        let folder = try ScratchFolder()
        let runner = try runner(way, server, folder)
        server.stop()
        let error = await #expect(throws: BreezeError.self) { try await Bench.collect(runner) }
        #expect(error?.code == .resourceUnavailable)
        #expect(error?.wasNeverSent == true)
    }

    @Test(arguments: Way.allCases)
    func `a silent server is a timeout, and is not asked again`(way: Way) async throws {
        let server = try ScriptedServer(.init(ending: .open, isSilent: true))
        let folder = try ScratchFolder()
        let clock = ManualClock()
        let runner = try runner(way, server, folder, retry: RetryPolicy(), clock: clock)
        let work = Task { try await Bench.collect(runner) }
        await server.reaches { $0.requests == 1 }
        // 15 s for the connection and 30 s of silence.
        await clock.sleeper(within: .seconds(45))
        clock.advance(by: .seconds(46))
        let error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .timeout)
        await server.reaches { $0.hangUps == 1 }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: Way.allCases)
    func `a server that points elsewhere gets no prompt sent there`(way: Way) async throws {
        let other = try ScriptedServer(.stream(Recordings.chat))
        let server = try ScriptedServer(
            .init(status: 307, headers: ["Location": "http://127.0.0.1:\(other.port)/v1/chat/completions"])
        )
        let folder = try ScratchFolder()
        let error = await #expect(throws: BreezeError.self) {
            try await Bench.collect(try runner(way, server, folder))
        }
        #expect(error?.code == .insecureConnection)
        #expect(other.requests.isEmpty)
    }

    /// Lets nobody read until the server stands still, and then reads on.
    private func held(_ way: Way, pieces count: Int) async throws -> (taken: Int, error: BreezeError?) {
        let text = String(repeating: "x", count: 1_000_000)
        let pieces = [[UInt8]](repeating: Array(Recordings.piece(text).utf8), count: count)
        let server = try ScriptedServer(.stream(pieces + [Array(Recordings.piece("", finish: "stop").utf8)]))
        let folder = try ScratchFolder()
        let runner = try runner(way, server, folder)
        let (isHeld, goOn) = (Gate(), Gate())
        let work = Task {
            try await runner.run(
                request: InferenceRequest(.chat, prompt: "hello"),
                into: ChunkSink { _ in
                    isHeld.open()
                    await goOn.pass()
                }
            )
        }
        await isHeld.pass()
        let taken = await server.stalls()
        goOn.open()
        do {
            #expect(try await work.value.output.text?.utf8.count == count * text.utf8.count)
            return (taken, nil)
        } catch let error as BreezeError {
            return (taken, error)
        }
    }

    @Test(arguments: Way.allCases)
    func `a reader that takes nothing holds the server back`(way: Way) async throws {
        let (taken, error) = try await held(way, pieces: 12)
        #expect(error == nil)
        #if canImport(FoundationNetworking)
        // It cannot be held back: see URLSessionExchange.
        if way == .urlSession { return }
        #endif
        #expect(taken < 8_000_000, "\(taken) of 12 million bytes were taken while nobody read")
    }

    @Test(.enabled(if: Oracle.python != nil, "no Python: run make setup"), arguments: Way.allCases)
    func `a certificate that nobody vouches for ends the connection`(way: Way) async throws {
        try await FaultServer.run { server in
            let folder = try ScratchFolder()
            let transport = try way.transport(folder: folder.url)
            let request = HTTPRequest("POST", try server.url("/x"), purpose: .inference, body: [1])
            let error = await #expect(throws: BreezeError.self) { try await transport.send(request) }
            #expect(error?.code == .insecureConnection)
            #expect(try await server.log("/x").isEmpty)
        }
    }

    @Test func `where the owner forbids it, nothing leaves by the system's client, either`() async throws {
        let server = try ScriptedServer(.stream(Recordings.chat))
        let folder = try ScratchFolder()
        let ledger = EgressLedger(url: folder.url.appending(path: "ledger.jsonl"))
        let transport = URLSessionTransport(
            ledger: ledger,
            version: "1.2.3",
            egress: EgressSwitch { true }
        )
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1"))
        let error = await #expect(throws: BreezeError.self) {
            try await Bench.collect(try Bench.runner(transport, Bench.service(address)))
        }
        #expect(error?.code == .egressForbidden)
        #expect(try await ledger.entries(last: 1).first?.outcome == .refused)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: Way.allCases)
    func `the ledger has each connection, and neither key nor prompt`(way: Way) async throws {
        let server = try ScriptedServer(.stream(Recordings.chat))
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "ledger.jsonl")
        let ledger = EgressLedger(url: file)
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1"))
        let runner = try Bench.runner(
            try way.transport(ledger: ledger, folder: folder.url),
            Bench.service(address)
        )
        _ = try await Bench.collect(runner, InferenceRequest(.chat, prompt: "a secret question"))
        let entry = try #require(try await ledger.entries(last: 1).first)
        #expect(entry.purpose == .inference)
        #expect(entry.status == 200)
        #expect(entry.port == Int(server.port))
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(!text.contains("secret") && !text.contains(Bench.key))
    }
}
