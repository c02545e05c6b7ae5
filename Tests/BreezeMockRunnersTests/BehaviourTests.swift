import BreezeCore
import BreezeMockRunners
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

struct BehaviourTests {
    private func chat(
        _ parameters: [String: JSONValue] = [:],
        prompt: String = "hello",
        seed: Int? = nil,
        temperature: Double? = nil
    ) -> InferenceRequest {
        let configuration = InferenceConfig(temperature: temperature, seed: seed, additional: parameters)
        return InferenceRequest(.chat, prompt: prompt, configuration: configuration)
    }

    @Test func `the delays are one before the answer and one between two pieces`() async throws {
        let clock = InstantClock()
        let request = chat(["responseDelay": 100, "chunkDelay": 50, "responseStyle": "brief"])
        _ = try await MockLLMRunner(clock: clock).run(request: request, into: Collector().sink)
        // Two chunks: the label and one word.
        #expect(clock.sleeps == [.milliseconds(100), .milliseconds(50)])
    }

    @Test func `a complete answer waits once`() async throws {
        let clock = InstantClock()
        let result = try await MockLLMRunner(clock: clock).run(
            request: chat(["responseDelay": 100, "chunkDelay": 50])
        )
        #expect(clock.sleeps == [.milliseconds(100)])
        #expect(result.output.text == "[mock] Hello! How can I help you today?")
    }

    @Test func `a streaming callback gets the pieces`() async throws {
        let collector = Mutex<[String]>([])
        var request = chat(["responseStyle": "brief"])
        request.streamingCallback = { chunk in collector.withLock { $0.append(chunk.text ?? "") } }
        _ = try await MockLLMRunner().run(request: request)
        #expect(collector.withLock { $0 } == ["[mock]", " Hello!"])
    }

    @Test func `without delays no clock is asked`() async throws {
        let clock = InstantClock()
        for runner in MockRunners.all(clock: clock).prefix(1) { _ = try await runner.run(request: chat()) }
        #expect(clock.sleeps.isEmpty)
    }

    /// 1,000 draws at 0.3: a deviation of 60 is more than four standard deviations (14.5 each).
    @Test func `the error rate is the share of seeds that fail, and a seed always does the same`()
        async throws
    {
        let runner = MockLLMRunner()
        func failures() async -> [Int] {
            var failed: [Int] = []
            for seed in 0..<1_000 {
                let request = chat(["simulateErrors": true, "errorRate": 0.3], seed: seed)
                do { _ = try await runner.run(request: request) } catch { failed.append(seed) }
            }
            return failed
        }
        let first = await failures()
        #expect((240...360).contains(first.count))
        #expect(await failures() == first)
    }

    @Test func `without a seed some requests fail and some do not`() async throws {
        let runner = MockLLMRunner()
        var failures = 0
        for _ in 0..<100 {
            let request = chat(["simulateErrors": true, "errorRate": 0.5])
            do { _ = try await runner.run(request: request) } catch { failures += 1 }
        }
        #expect((20...80).contains(failures))
    }

    @Test func `temperature lets the seed choose among wordings`() async throws {
        let wordings = Set([
            "[mock] Hello! How can I help you today?",
            "[mock] Hi there! What would you like to talk about?",
        ])
        var heard: [Double: Set<String>] = [:]
        for temperature in [0.0, 0.8] {
            for seed in 0..<20 {
                let result = try await MockLLMRunner().run(
                    request: chat(seed: seed, temperature: temperature)
                )
                heard[temperature, default: []].insert(result.output.text ?? "")
            }
        }
        #expect(heard[0] == ["[mock] Hello! How can I help you today?"])
        #expect(heard[0.8] == wordings)
    }

    @Test func `a megabyte of prompt is read to its end`() async throws {
        let prompt = String(repeating: "lorem ipsum ", count: 90_000) + "hello"
        let result = try await MockLLMRunner().run(request: chat(["responseStyle": "brief"], prompt: prompt))
        #expect(result.output.text == "[mock] Hello!")
        #expect(result.usage.inputTokens == 180_001)
    }

    @Test(arguments: [
        InferenceRequest(.chat, prompt: "who are you"),
        InferenceRequest(.tts, prompt: "one two three four five six"),
    ])
    func `a cancelled request sends nothing more`(_ request: InferenceRequest) async throws {
        let runner = try #require(
            MockRunners.all().first { $0.canRun(request: request) } as? any StreamingRunner
        )
        let sent = Mutex(0)
        let sink = ChunkSink { _ in
            let count = sent.withLock { sent in
                sent += 1
                return sent
            }
            if count == 3 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let task = Task { try await runner.run(request: request, into: sink) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sent.withLock { $0 } == 3)
    }

    @Test(arguments: MockRunners.all(clock: NeverClock()))
    func `cancelling ends the wait before the answer`(_ runner: any Runner) async throws {
        let capability = try #require(runner.supportedCapabilities.first)
        var request = InferenceRequest(capability, prompt: "hello")
        request.imageData = .init("GIF89a".utf8)
        request.audioData = .init("OggS".utf8)
        request.configuration[parameter: "responseDelay"] = 100
        let asked = request
        let task = Task { try await runner.run(request: asked) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: MockRunners.all())
    func `loading twice and unloading changes nothing`(_ runner: any Runner) async throws {
        try await runner.load()
        try await runner.load()
        await runner.unload()
        #expect(await runner.availability() == .available)
    }
}

/// A clock on which nothing is ever over: its sleeps end by cancellation alone.
struct NeverClock: Clock {
    var now: InstantClock.Instant { InstantClock().now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: InstantClock.Instant, tolerance: Duration?) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        throw CancellationError()
    }
}
