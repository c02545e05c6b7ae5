import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

/// Which way a request takes, and that it takes one alone.
@Suite(.timeLimit(.minutes(1))) struct WayTests {
    private func hub(_ text: String, socket: String? = nil) throws -> ScriptedServer {
        try ScriptedServer(
            socket: socket,
            HubScript.hub { _ in HubScript.json("200 OK", HubScript.result(text)) }
        )
    }

    @Test func `socket, loopback, scheme and fallback, in this order`() async throws {
        let folder = try ScratchFolder()
        let path = folder.url.appending(path: "hub.sock").path
        let (overSocket, overLoopback) = (try hub("socket", socket: path), try hub("loopback"))
        let scheme = ScriptedScheme()
        var configuration = HubScript.configuration(
            socket: path,
            address: overLoopback.address,
            fallback: .runner(CountingRunner())
        )
        (configuration.scheme, configuration.callbackScheme) = (scheme, "mycoolapp")
        let client = BreezeClient(configuration)

        var answer = try await client.chat(prompt: "hi")
        #expect(answer.text == "socket")
        #expect(answer.transport == TransportReport(.socket))
        overSocket.stop()
        let closed = TransportReport.Skipped(.socket, "No hub answers at \(path): nobody listens there.")
        answer = try await client.chat(prompt: "hi")
        #expect(answer.text == "loopback")
        #expect(answer.transport == TransportReport(.loopback, skipped: [closed]))
        overLoopback.stop()
        answer = try await client.chat(prompt: "hi")
        #expect(answer.text == "over the scheme")
        #expect(answer.transport?.way == .urlScheme)
        #expect(answer.transport?.skipped.map(\.way) == [.socket, .loopback])
        scheme.closes(with: NothingSent("No app opens it."))
        answer = try await client.chat(prompt: "hi")
        #expect(answer.text == "own answer")
        #expect(answer.transport?.way == .fallback)
        #expect(answer.transport?.skipped.last == TransportReport.Skipped(.urlScheme, "No app opens it."))
        #expect(answer.result.notices.contains("No hub answered, so tiny:own of the app itself did."))
        #expect((overSocket.requests.count, overLoopback.requests.count, scheme.asked) == (1, 1, 2))
    }

    @Test func `where nobody is there, the error has every reason`() async throws {
        let server = try hub("")
        server.stop()
        let client = BreezeClient(HubScript.configuration(address: server.address))
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
        #expect(error?.code == .noHub)
        #expect(
            error?.message
                == "Nobody is there to answer. Unix socket: The hub has none. "
                + "Loopback HTTP: No hub answers at \(server.address): nobody listens there. "
                + "URL scheme: This app was built without it. Fallback: The app has none."
        )
        #expect(error?.remedy?.contains("breeze serve") == true)
    }

    @Test func `an address that leads off the device is not taken`() async throws {
        let client = BreezeClient(HubScript.configuration(address: "http://192.0.2.1:11535"))
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
        #expect(error?.message.contains("not one of plain HTTP on this device") == true)
    }

    static let failures: [(name: String, steps: [ScriptedServer.Step])] = [
        ("a cut", []),
        ("a cut after the head", [.text("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n")]),
        ("no HTTP", [.text("hello\r\n")]),
        ("a fault", HubScript.json("500 Oh", "{}")),
        ("too busy", HubScript.json("503 Busy", "")),
        ("silence", [.waitForClose]),
    ]

    @Test(arguments: failures.map(\.name), [true, false])
    func `what may have run is not sent over another way`(_ name: String, _ isStream: Bool) async throws {
        let steps = try #require(Self.failures.first { $0.name == name }).steps
        let folder = try ScratchFolder()
        let path = folder.url.appending(path: "hub.sock").path
        let broken = try ScriptedServer(socket: path, HubScript.hub { _ in steps })
        let (well, scheme, own) = (try hub("well"), ScriptedScheme(), CountingRunner())
        var configuration = HubScript.configuration(
            socket: path,
            address: well.address,
            fallback: .runner(own)
        )
        (configuration.scheme, configuration.callbackScheme) = (scheme, "mycoolapp")
        configuration.timeouts = HubTimeouts(answer: .milliseconds(40))
        let client = BreezeClient(configuration)
        await #expect(throws: BreezeError.self) {
            if isStream {
                for try await _ in client.stream(prompt: "hi") {}
            } else {
                _ = try await client.chat(prompt: "hi")
            }
        }
        // Who gives up early may have done so before the server read what was sent.
        await broken.reaches { $0.requests >= 1 }
        #expect(broken.requests.count == 1)
        #expect((well.requests.count, scheme.asked, own.requests.count) == (0, 0, 0))
    }

    @Test func `what went out over the scheme is not asked of the fallback`() async throws {
        let (scheme, own) = (ScriptedScheme(), CountingRunner())
        scheme.closes(with: BreezeError(.timeout, "No answer came back."))
        var configuration = HubScript.configuration(fallback: .runner(own))
        (configuration.scheme, configuration.callbackScheme) = (scheme, "mycoolapp")
        let error = await #expect(throws: BreezeError.self) {
            try await BreezeClient(configuration).chat(prompt: "hi")
        }
        #expect(error?.code == .timeout)
        #expect(own.requests.isEmpty)
    }

    @Test func `a stream over the scheme is one piece, and says so`() async throws {
        var configuration = HubScript.configuration()
        (configuration.scheme, configuration.callbackScheme) = (ScriptedScheme(), "mycoolapp")
        var chunks: [InferenceChunk] = []
        for try await chunk in BreezeClient(configuration).stream(prompt: "hi") { chunks.append(chunk) }
        #expect(chunks.count == 1)
        #expect(chunks.first?.result?.notices == ["The hub's URL scheme brings an answer in one piece."])
    }

    @Test func `the host's URLs go to the scheme, and foreign ones stay the app's`() throws {
        var configuration = HubScript.configuration()
        let answer = try #require(URL(string: "mycoolapp://breeze-response?result=e30"))
        let foreign = try #require(URL(string: "mycoolapp://open?note=3"))
        #expect(!BreezeClient(configuration).handle(answer))
        configuration.scheme = ScriptedScheme()
        let client = BreezeClient(configuration)
        #expect(client.handle(answer))
        #expect(!client.handle(foreign))
    }
}

/// The URL scheme, without URLs.
final class ScriptedScheme: SchemeTransport {
    private let state: Mutex<(asked: Int, failure: (any Error)?)> = Mutex((0, nil))
    private let finding: HubFinding

    init(_ finding: HubFinding = HubFinding(.ready)) {
        self.finding = finding
    }

    var asked: Int { state.withLock { $0.asked } }

    func closes(with failure: any Error) { state.withLock { $0.failure = failure } }

    func look() async -> HubFinding { finding }

    func run(_ request: InferenceRequest) async throws -> InferenceResult {
        let failure = state.withLock { state in
            state.asked += 1
            return state.failure
        }
        if let failure { throw failure }
        return InferenceResult(requestID: request.id, output: .text("over the scheme"), runner: "hub")
    }

    func handle(_ url: URL) -> Bool { url.host() == "breeze-response" }
}
