import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
    private static let start = HubScript.streamHead + HubScript.chunk(HubScript.text("one"))

    private func bench(_ start: String) throws -> (ScriptedServer, BreezeClient) {
        let server = try ScriptedServer(HubScript.hub { _ in [.text(start), .waitForClose] })
        return (server, BreezeClient(HubScript.configuration(address: server.address)))
    }

    @Test(arguments: ["", start])
    func `cancelling the task closes the connection`(_ start: String) async throws {
        let (server, client) = try bench(start)
        let task = Task { try await client.chat(prompt: "hi") }
        await server.reaches { $0.requests == 1 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        await server.reaches { $0.hangUps == 1 }
    }

    @Test func `dropping a stream closes the connection`() async throws {
        let (server, client) = try bench(Self.start)
        for try await chunk in client.stream(prompt: "hi") {
            #expect(chunk.text == "one")
            break
        }
        await server.reaches { $0.hangUps == 1 }
    }

    @Test func `a request is cancelled by its id, and says so`() async throws {
        let (server, client) = try bench("")
        let first = Task { try await client.chat(prompt: "hi", options: AskingOptions(id: "first")) }
        let second = Task { try await client.chat(prompt: "hi", options: AskingOptions(id: "second")) }
        await server.reaches { $0.requests == 2 }
        #expect(await client.cancel("first"))
        let error = await #expect(throws: BreezeError.self) { try await first.value }
        #expect(error?.code == .cancelled)
        await server.reaches { $0.hangUps == 1 }
        #expect(await !client.cancel("first"))
        #expect(await !client.cancel("never"))
        #expect(await client.cancel("second"))
        await #expect(throws: BreezeError.self) { try await second.value }
        await server.reaches { $0.hangUps == 2 }
    }

    @Test func `a stream is cancelled by its id`() async throws {
        let (server, client) = try bench(Self.start)
        let error = await #expect(throws: BreezeError.self) {
            for try await _ in client.stream(prompt: "hi", options: AskingOptions(id: "s")) {
                #expect(await client.cancel("s"))
            }
        }
        #expect(error?.code == .cancelled)
        await server.reaches { $0.hangUps == 1 }
    }

    @Test func `the last of those that run is cancelled first`() async throws {
        let (server, client) = try bench("")
        #expect(await !client.cancelLast())
        let first = Task { try await client.chat(prompt: "hi") }
        await server.reaches { $0.requests == 1 }
        let second = Task { try await client.chat(prompt: "hi") }
        await server.reaches { $0.requests == 2 }
        #expect(await client.cancelLast())
        await #expect(throws: BreezeError.self) { try await second.value }
        #expect(await client.cancelLast())
        await #expect(throws: BreezeError.self) { try await first.value }
        #expect(await !client.cancelLast())
    }

    @Test func `two requests of one id do not run at once`() async throws {
        let (server, client) = try bench("")
        let options = AskingOptions(id: "one")
        let first = Task { try await client.chat(prompt: "hi", options: options) }
        await server.reaches { $0.requests == 1 }
        let error = await #expect(throws: BreezeError.self) {
            try await client.chat(prompt: "hi", options: options)
        }
        #expect(error?.code == .invalidRequest)
        #expect(server.requests.count == 1)
        #expect(await client.cancelLast())
        await #expect(throws: BreezeError.self) { try await first.value }
    }
}
