import BreezeCore
import BreezeKit
import BreezeTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct FallbackTests {
    private func client(
        _ fallback: Fallback,
        consent: NetworkConsent? = nil
    ) -> BreezeClient {
        BreezeClient(HubScript.configuration(fallback: fallback, consent: consent))
    }

    private static let pinned = AskingOptions(privacy: .onDevice)

    @Test func `a runner on the device needs nobody's consent`() async throws {
        let own = CountingRunner()
        let answer = try await client(.runner(own)).chat(prompt: "hi", options: Self.pinned)
        #expect(answer.text == "own answer")
        #expect(answer.transport?.way == .fallback)
        #expect(own.loads == 1)
    }

    @Test func `a network runner needs the developer's word and the user's`() async throws {
        let service = CountingRunner("api:service", locality: .network)
        let yes = NetworkConsent(runner: "api:service")
        let refused: [(Fallback, NetworkConsent?, String)] = [
            (.runner(service), nil, "did not say that it may"),
            (.runner(service), yes, "did not say that it may"),
            (.api(service), nil, "has not allowed"),
            (.api(service), NetworkConsent(runner: "api:other"), "has not allowed"),
        ]
        for (fallback, consent, why) in refused {
            let error = await #expect(throws: BreezeError.self) {
                try await client(fallback, consent: consent).chat(prompt: "hi")
            }
            #expect(error?.code == .networkConsentRequired)
            #expect(error?.code.rawValue == "consent_required")
            #expect(error?.message.contains(why) == true)
        }
        #expect(service.requests.isEmpty && service.loads == 0)
        #expect(try await client(.api(service), consent: yes).chat(prompt: "hi").text == "own answer")
    }

    @Test func `the user's one yes is kept until it is taken back`() async throws {
        let service = CountingRunner("api:service", locality: .network)
        var configuration = HubScript.configuration(fallback: .api(service))
        let consents = MemoryStore<NetworkConsent>()
        configuration.consents = consents
        let client = BreezeClient(configuration)
        try await client.allowNetwork()
        #expect(consents.load() == NetworkConsent(runner: "api:service"))
        for _ in 0..<2 {
            #expect(try await BreezeClient(configuration).chat(prompt: "hi").text == "own answer")
        }
        try await client.forbidNetwork()
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
        #expect(error?.code == .networkConsentRequired)
    }

    @Test func `there is nothing to allow where no fallback asks the network`() async throws {
        for fallback in [Fallback.none, .runner(CountingRunner())] {
            let error = await #expect(throws: BreezeError.self) { try await client(fallback).allowNetwork() }
            #expect(error?.code == .networkConsentRequired)
        }
    }

    @Test func `a request that is pinned to the device never leaves it`() async throws {
        let service = CountingRunner("api:service", locality: .network)
        let client = client(.api(service), consent: NetworkConsent(runner: "api:service"))
        let error = await #expect(throws: BreezeError.self) {
            try await client.chat(prompt: "hi", options: Self.pinned)
        }
        #expect(error?.code == .noHub)
        #expect(error?.message.contains("pinned to the device") == true)
        #expect(service.requests.isEmpty && service.loads == 0)
    }

    @Test func `a runner that cannot, or may not, answer is passed over with its reason`() async throws {
        let deaf = CountingRunner(capabilities: [.embedding])
        let broken = CountingRunner(
            availability: .unavailable(reason: "The model is missing.", remedy: "breeze pull tiny")
        )
        let able = CountingRunner()
        let cases: [(CountingRunner, InferenceRequest, String)] = [
            (deaf, InferenceRequest(.chat, prompt: "hi"), "does not answer this chat request"),
            (broken, InferenceRequest(.chat, prompt: "hi"), "The model is missing."),
            (able, InferenceRequest(.chat, prompt: "hi", runnerID: "llama:x"), "names the runner llama:x"),
            (able, InferenceRequest(.chat, prompt: "hi", modelID: "x"), "names the model x"),
        ]
        for (runner, request, why) in cases {
            let error = await #expect(throws: BreezeError.self) {
                try await client(.runner(runner)).run(request)
            }
            #expect(error?.code == .noHub)
            #expect(error?.message.contains(why) == true)
            #expect(runner.requests.isEmpty)
        }
    }

    @Test func `pieces arrive, and then the result`() async throws {
        var (texts, result): ([String], InferenceResult?) = ([], nil)
        for try await chunk in client(.runner(CountingRunner())).stream(prompt: "hi") {
            if let text = chunk.text { texts.append(text) }
            result = chunk.result ?? result
        }
        #expect(texts == ["own"])
        #expect(result?.transport?.way == .fallback)
    }

    @Test func `a runner gets its defaults, and the request's values within its limits`() async throws {
        let schema = ParameterSchema([
            ParameterDescriptor(
                "temperature",
                "Temperature",
                summary: "",
                kind: .number(min: 0, max: 1),
                default: 0.25,
                rangePolicy: .clamp
            ),
            ParameterDescriptor("topK", "Top k", summary: "", kind: .integer(min: 1), default: 40),
            ParameterDescriptor("seed", "Seed", summary: "", kind: .integer(), tiers: [.engineSettings]),
        ])
        let own = CountingRunner(schema: schema)
        let client = client(.runner(own))
        var options = AskingOptions(
            configuration: InferenceConfig(temperature: 3, minP: 0.5, seed: 7, timeout: 60)
        )
        let answer = try await client.chat(prompt: "hi", options: options)
        let got = try #require(own.requests.first).configuration
        #expect((got.temperature, got.topK, got.minP, got.seed) == (1, 40, nil, nil))
        #expect(
            answer.result.notices == [
                "The parameter temperature was clamped: 3.0 is above the most, 1.0.",
                "The parameter minP was refused: tiny:own does not take it from a request.",
                "The parameter seed was refused: tiny:own does not take it from a request.",
                "No hub answered, so tiny:own of the app itself did.",
            ]
        )
        options = AskingOptions(configuration: InferenceConfig(topK: 0))
        let error = await #expect(throws: BreezeError.self) {
            try await client.chat(prompt: "hi", options: options)
        }
        #expect(error?.code == .invalidParameter)
        #expect(own.requests.count == 1)
    }

    @Test func `a runner answers one request at a time, and loads never overlap`() async throws {
        let overlap = Mutex((now: 0, most: 0))
        let own = CountingRunner { _ in
            overlap.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            for _ in 0..<20 { await Task.yield() }
            overlap.withLock { $0.now -= 1 }
        }
        let client = client(.runner(own))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 { group.addTask { _ = try await client.chat(prompt: "hi") } }
            try await group.waitForAll()
        }
        #expect(own.requests.count == 10)
        #expect(overlap.withLock { $0.most } == 1)
    }

    @Test func `a request that is cancelled while it waits never runs, and leaves its place`() async throws {
        let (gate, entered) = (Gate(), Gate())
        let own = CountingRunner { _ in
            entered.open()
            await gate.pass()
        }
        let client = client(.runner(own))
        let first = Task { try await client.chat(prompt: "first") }
        await entered.pass()
        let second = Task { try await client.chat(prompt: "second", options: AskingOptions(id: "second")) }
        while await !client.cancel("second") { await Task.yield() }
        let error = await #expect(throws: BreezeError.self) { try await second.value }
        #expect(error?.code == .cancelled)
        gate.open()
        #expect(try await first.value.text == "own answer")
        #expect(try await client.chat(prompt: "third").text == "own answer")
        #expect(own.requests.map { $0.messages?.first?.content } == ["first", "third"])
    }

    @Test func `a request that takes longer than its timeout ends with it`() async throws {
        let (clock, gate) = (ManualClock(), Gate())
        var configuration = HubScript.configuration(
            fallback: .runner(CountingRunner { _ in await gate.pass() })
        )
        configuration.clock = clock
        let client = BreezeClient(configuration)
        let options = AskingOptions(configuration: InferenceConfig(timeout: 5))
        let task = Task { try await client.chat(prompt: "hi", options: options) }
        await clock.sleeper(within: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code == .timeout)
        gate.open()
    }

    @Test func `an error of another type does not leave, and one of ours does`() async throws {
        struct Odd: Error { let prompt = "a secret" }
        let odd = await #expect(throws: BreezeError.self) {
            try await client(.runner(CountingRunner { _ in throw Odd() })).chat(prompt: "hi")
        }
        #expect(odd?.code == .runFailed)
        #expect(odd?.message.contains("secret") == false)
        let ours = await #expect(throws: BreezeError.self) {
            let error = BreezeError(.insufficientMemory, "Too little.")
            return try await client(.runner(CountingRunner { _ in throw error })).chat(prompt: "hi")
        }
        #expect(ours?.code == .insufficientMemory)
    }
}
