import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

/// The SDK, as an app has it, against the real program.
@Suite(.enabled(if: TestProgram.named("breeze") != nil, "the program was not built"))
struct `An app with the SDK` {
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case socket, loopback
        var testDescription: String { rawValue }
    }

    /// An app whose state lies in the hub's home; it finds the hub as an app does, or is told its address.
    private static func client(
        _ way: Way,
        _ base: URL,
        _ environment: [String: String],
        fallback: Fallback = .none
    ) throws -> BreezeClient {
        let home = URL(filePath: try #require(environment["BREEZE_HOME"])).appending(path: "app")
        var configuration = BreezeConfiguration(
            appName: "Cool Notes",
            fallback: fallback,
            capabilities: [.chat, .embedding],
            hub: way == .socket ? .standard : .at(address: base.absoluteString),
            keys: FileStore<HubKey>(home.appending(path: "hub-key.json")),
            consents: MemoryStore<NetworkConsent>(),
            host: .unknown
        )
        configuration.environment = environment
        return BreezeClient(configuration)
    }

    private static func question(_ prompt: String) -> InferenceRequest {
        InferenceRequest(.chat, prompt: prompt, allowsMocks: true)
    }

    /// From an app that nobody knows to one that is let in, with the owner's word at the terminal.
    private static func letIn(_ client: BreezeClient, _ environment: [String: String]) async throws {
        var status = await client.status()
        #expect(status.state == .notPaired && status.way == nil, "\(status.reasons)")
        let error = await #expect(throws: BreezeError.self) { try await client.run(question("hello")) }
        #expect(error?.code == .approvalPending)
        status = await client.status()
        #expect(status.state == .pending && status.remedy?.contains("breeze apps approve") == true)
        let id = try #require(error?.remedy?.split(separator: " ").last)
        try await RunningHub.tell(
            ["apps", "approve", String(id), "--allow", "chat", "--allow", "embedding"],
            environment
        )
        // Until another process's decision has reached the hub.
        for _ in 0..<600 where status.state != .ready {
            try await Task.sleep(for: .milliseconds(50))
            status = await client.status()
        }
        #expect(status.state == .ready && status.way != nil && status.remedy == nil)
    }

    @Test(arguments: Way.allCases)
    func `it registers, waits, is approved, and is answered, whole and piece by piece`(_ way: Way)
        async throws
    {
        let encoder = Oracle.miniLM.map { [["models", "import", $0.path]] } ?? []
        try await RunningHub.run(before: encoder) { base, _, environment in
            let client = try Self.client(way, base, environment)
            try await Self.letIn(client, environment)
            let expected = way == .socket ? TransportReport.Way.socket : .loopback

            let whole = try await client.run(Self.question("hello"))
            #expect(whole.isMock && whole.transport?.way == expected)
            let text = try #require(whole.output.text)
            #expect(!text.isEmpty)

            var (pieces, results): (String, [InferenceResult]) = ("", [])
            for try await chunk in client.stream(Self.question("hello")) {
                pieces += chunk.text ?? ""
                if let result = chunk.result { results.append(result) }
            }
            #expect(results.count == 1 && results.first?.output.text == pieces && !pieces.isEmpty)
            #expect(results.first?.transport?.way == expected)

            // What was not granted, and what nobody here runs, is the hub's answer and not an absent hub.
            let refused = await #expect(throws: BreezeError.self) { try await client.speak("hello") }
            #expect(refused?.code != .noHub && refused?.code != .approvalPending)
            if !encoder.isEmpty {
                let vectors = try await client.embed(["a tide", "a monsoon"])
                #expect(vectors.value.count == 2 && vectors.value.allSatisfy { $0.count == 384 })
                #expect(vectors.transport?.way == expected)
            }
            try await RunningHub.tell(["apps", "revoke", "Cool Notes"], environment)
            var code: BreezeError.Code?
            for _ in 0..<600 where code != .approvalRevoked {
                do { _ = try await client.run(Self.question("hello")) } catch let error as BreezeError {
                    code = error.code
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(code == .approvalRevoked)
            #expect(await client.status().state == .revoked)
        }
    }

    @Test func `where the socket is gone, loopback answers, and says why`() async throws {
        try await RunningHub.run { base, socket, environment in
            let client = try Self.client(.socket, base, environment)
            try await Self.letIn(client, environment)
            try FileManager.default.removeItem(atPath: socket)
            let result = try await client.run(Self.question("hello"))
            #expect(result.transport?.way == .loopback)
            #expect(result.transport?.skipped.map(\.way) == [.socket])
            #expect(result.transport?.skipped.first?.reason.contains("No hub answers at") == true)
        }
    }

    @Test(arguments: Way.allCases)
    func `a hub that dies in mid-answer is an error of its kind, and the next one answers`(_ way: Way)
        async throws
    {
        let home = try ScratchFolder()
        let asked = Mutex<(client: BreezeClient, answer: Task<Int, any Error>)?>(nil)
        let slow = [["config", "set", "runners.mock:llm.chunkDelay", "60000"]]
        try await RunningHub.run(in: home, end: SIGKILL, before: slow) { base, _, environment in
            let own = Fallback.runner(OwnAnswer())
            let client = try Self.client(way, base, environment, fallback: own)
            try await Self.letIn(client, environment)
            let begun = Gate()
            let answer = Task {
                var count = 0
                for try await _ in client.stream(Self.question("Tell me about tides, at length.")) {
                    count += 1
                    begun.open()
                }
                return count
            }
            await begun.pass()
            asked.withLock { $0 = (client, answer) }
        }
        let (client, answer) = try #require(asked.withLock { $0 })
        let error = await #expect(throws: BreezeError.self) { try await answer.value }
        #expect(error?.code == .answerCut)
        // Nobody is there now: the app itself answers, and says why.
        let alone = try await client.run(Self.question("hello"))
        #expect(alone.output.text == "own" && alone.transport?.way == .fallback)
        #expect(alone.transport?.skipped.map(\.way) == [.socket, .loopback, .urlScheme])
        #expect(await client.status().way == .fallback)

        let quick = [["config", "set", "runners.mock:llm.chunkDelay", "0"]]
        try await RunningHub.run(in: home, before: quick) { base, _, environment in
            // The same client where it finds the hub itself; the port is another one by now.
            let next = way == .socket ? client : try Self.client(way, base, environment)
            #expect(await next.status().state == .ready, "what the owner said is kept")
            let result = try await next.run(Self.question("hello"))
            #expect(result.isMock && result.transport?.way.rawValue == way.rawValue)
        }
    }
}

/// The app's own runner.
private struct OwnAnswer: Runner {
    let id = "own:answer"
    let locality = Locality.onDevice
    let supportedCapabilities: [AICapability] = [.chat]
    let parameterSchema = ParameterSchema()

    func availability() async -> Availability { .available }
    func load() async throws {}
    func unload() async {}

    func run(request: InferenceRequest) async throws -> InferenceResult {
        InferenceResult(requestID: request.id, output: .text("own"), runner: id)
    }
}
