import BreezeCore
import BreezeMockRunners
import BreezeTestSupport
import BreezeWorker
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: Hosting.executable != nil, "breeze-test-worker was not built"))
struct `A hosted runner answers as one in this process` {
    static let requests: [String: [InferenceRequest]] = [
        "mock:llm": [
            InferenceRequest(.chat, prompt: "hello", id: "plain"),
            InferenceRequest(
                .chat,
                prompt: "hello",
                id: "limited",
                configuration: InferenceConfig(maxTokens: 3, additional: ["responseStyle": "detailed"])
            ),
            InferenceRequest(
                .chat,
                prompt: "the weather in Ulm",
                id: "tools",
                configuration: InferenceConfig(
                    tools: [
                        ToolDefinition(
                            name: "weather",
                            description: "The weather of a city",
                            parameters: ["type": "object", "properties": ["city": ["type": "string"]]]
                        )
                    ],
                    toolChoice: .required
                )
            ),
            InferenceRequest(
                .chat,
                prompt: "hello",
                id: "unenforceable",
                configuration: InferenceConfig(guidedOutput: ["type": "string", "pattern": "^a+b$"])
            ),
        ],
        "mock:asr": [
            InferenceRequest(.asr, id: "speech", audioData: Data("fLaC and what follows".utf8)),
            InferenceRequest(.asr, id: "silence", audioData: Data()),
        ],
        "mock:tts": [
            InferenceRequest(.tts, prompt: "good morning", id: "spoken"),
            InferenceRequest(.tts, prompt: String(repeating: "a", count: 4_097), id: "long"),
        ],
        "mock:vlm": [
            InferenceRequest(
                .vlm,
                prompt: "what is this?",
                id: "picture",
                imageData: Data("GIF89a\u{2}\u{0}\u{2}\u{0}".utf8)
            )
        ],
        "mock:guardian": [
            InferenceRequest(.guardian, prompt: "a harmless text", id: "harmless"),
            InferenceRequest(.guardian, prompt: "", id: "empty"),
        ],
    ]

    private struct Outcome: Equatable {
        var chunks: [InferenceChunk] = []
        var result: InferenceResult?
        var error: BreezeError?
    }

    private func outcome(of runner: any Runner, _ request: InferenceRequest) async throws -> Outcome {
        let chunks = Mutex<[InferenceChunk]>([])
        var outcome = Outcome()
        do {
            let sink = ChunkSink { chunk in chunks.withLock { $0.append(chunk) } }
            outcome.result = try await runner.stream(request, into: sink)
        } catch let error as BreezeError { outcome.error = error }
        outcome.chunks = chunks.withLock { $0 }
        return outcome
    }

    @Test(arguments: ["mock:llm", "mock:asr", "mock:tts", "mock:vlm", "mock:guardian"])
    func `chunks, results and errors of a mock are the same`(id: String) async throws {
        let mock = try #require(MockRunners.all(clock: InstantClock()).first { $0.id == id })
        let hosted = WorkerRunner(
            WorkerFacts(of: mock),
            descriptor: WorkerDescriptor(kind: id),
            launch: try Hosting.launch()
        )
        for request in try #require(Self.requests[id]) {
            let here = try await outcome(of: mock, request)
            #expect(here.result != nil || here.error != nil)
            #expect(try await outcome(of: hosted, request) == here)
            // Without a reader, some answer in one piece.
            let whole = try? await mock.run(request: request)
            let hostedWhole = try? await hosted.run(request: request)
            #expect(hostedWhole == whole)
        }
        await hosted.unload()
    }

    @Test func `a hundred chunks arrive in order, and the result after them`() async throws {
        let runner = try Hosting.scripted()
        let seen = Mutex<[String]>([])
        let result = try await runner.follow("echo 100") { text in seen.withLock { $0.append(text) } }
        #expect(seen.withLock { $0 } == (0..<100).map { "\($0) " })
        #expect(result.output.text == (0..<100).map { "\($0) " }.joined())
        await runner.unload()
    }

    @Test func `vectors keep every bit`() async throws {
        let runner = try Hosting.scripted()
        let seen = Mutex<[[Float]]>([])
        let request = InferenceRequest(.embedding, prompt: "vectors 40")
        let result = try await runner.run(
            request: request,
            into: ChunkSink { chunk in
                guard case .embedding(let index, let vector) = chunk.content else { return }
                seen.withLock { vectors in
                    #expect(index == vectors.count)
                    vectors.append(vector)
                }
            }
        )
        let expected = (0..<40).map { index in (0..<64).map { Float(index) / Float($0 + 1) } }
        #expect(seen.withLock { $0 } == expected)
        #expect(result.output == .embeddings(expected))
        await runner.unload()
    }

    @Test func `an error keeps its code, its remedy and its time`() async throws {
        let runner = try Hosting.scripted()
        let error = await #expect(throws: BreezeError.self) { try await runner.say("fail") }
        #expect(
            error == BreezeError(.unsupported, "Not this.", remedy: "That.", retryAfter: .seconds(2.5))
        )
        let foreign = await #expect(throws: BreezeError.self) { try await runner.say("throw") }
        #expect(foreign?.code == .runFailed)
        #expect(try await runner.say("echo 2") == "0 1 ")
        #expect(runner.starts == 1)
        await runner.unload()
    }

    @Test func `what a runner prints does not get among its answers`() async throws {
        let runner = try Hosting.scripted()
        #expect(try await runner.say("print") == "printed; nothing to read")
        #expect(try await runner.say("echo 2") == "0 1 ")
        await runner.unload()
    }

    @Test func `how far the load is, is told`() async throws {
        let told = Mutex<[InferenceChunk.Progress]>([])
        let runner = try Hosting.scripted(["loadSteps": 3])
        try await runner.load { progress in told.withLock { $0.append(progress) } }
        #expect(told.withLock { $0.map(\.completed) } == [1, 2, 3])
        #expect(told.withLock { $0.allSatisfy { $0.total == 3 && $0.stage == "loading" } })
        await runner.unload()
    }

    @Test func `fifty callers of one that was never started start one`() async throws {
        let runner = try Hosting.scripted()
        let answers = try await withThrowingTaskGroup { group in
            for _ in 0..<50 { group.addTask { try await runner.say("echo 3") } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers == ["0 1 2 "])
        #expect(runner.starts == 1)
        await runner.unload()
    }

    @Test func `fifty workers asked for at once all start, answer and go`() async throws {
        let runners = try (0..<50).map { _ in try Hosting.scripted() }
        let answers = try await withThrowingTaskGroup { group in
            for runner in runners { group.addTask { try await runner.say("echo 2") } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(answers == Array(repeating: "0 1 ", count: 50))
        #expect(Set(runners.compactMap(\.processID)).count == 50)
        for runner in runners { await runner.unload() }
        #expect(runners.allSatisfy { $0.processID == nil })
    }

    @Test func `a slow reader holds the worker back`() async throws {
        let runner = try Hosting.scripted()
        let (begun, go) = (Gate(), Gate())
        async let answer = runner.follow("echo 1000") { text in
            guard text == "0 " else { return }
            begun.open()
            await go.pass()
        }
        await begun.pass()
        // Other requests of the same worker tell how far the first one got.
        var sent = 0
        while sent < WorkerOptions().window { sent = try #require(Int(try await runner.say("sent"))) }
        for _ in 0..<50 { #expect(try await runner.say("sent") == "\(WorkerOptions().window)") }
        go.open()
        #expect(try await answer.output.text?.hasSuffix(" 999 ") == true)
        await runner.unload()
    }

    // The one test that lets real time pass: what is looked for is what comes of itself.
    @Test func `one that was idle for fifteen seconds is still there`() async throws {
        let runner = try Hosting.scripted()
        try await runner.load()
        let process = runner.processID
        try await Task.sleep(for: .seconds(15))
        #expect(try await runner.say("echo 1") == "0 ")
        #expect(runner.processID == process)
        #expect(runner.starts == 1)
        await runner.unload()
    }

    @Test func `the environment is no more than it needs`() async throws {
        let runner = try Hosting.scripted(
            launch: WorkerLaunch(
                executable: try Hosting.launch().executable,
                arguments: ["worker"],
                version: "test",
                environment: WorkerLaunch.environment(from: ["HOME": "/h", "OPENAI_API_KEY": "secret"])
            )
        )
        let environment = try await runner.say("environment").split(separator: "\n")
        #expect(environment == ["HOME=/h", "OMP_WAIT_POLICY=passive", "SWIFT_BACKTRACE=enable=no"])
        await runner.unload()
    }
}
