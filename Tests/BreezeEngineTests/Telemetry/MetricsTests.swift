import BreezeCore
import BreezeTestSupport
import Logging
import Testing

@testable import BreezeEngine

@Suite struct MetricsTests {
    private let clock = ManualClock()

    private func chat(_ id: String, runner: String? = nil) -> InferenceRequest {
        InferenceRequest(.chat, prompt: "x", id: id, runnerID: runner)
    }

    @Test func `every outcome is counted by runner and capability`() async throws {
        let engine = Engine(clock: clock)
        try await engine.register(ScriptedRunner("good"))
        try await engine.register(
            ScriptedRunner("bad", qualityTier: 1, onRun: { _, _ in throw BreezeError(.runFailed, "x") })
        )
        try await engine.register(
            ScriptedRunner("quits", qualityTier: 1, onRun: { _, _ in throw BreezeError(.cancelled, "x") })
        )
        for id in ["1", "2"] { _ = try await engine.run(chat(id, runner: "good")) }
        for runner in ["bad", "quits", "nobody"] { _ = try? await engine.run(chat("3", runner: runner)) }
        let metrics = await engine.metrics()
        let requests = try #require(metrics["breeze_requests_total"])
        func count(_ runner: String, _ outcome: String) -> Double? {
            requests.value(["runner": runner, "capability": "chat", "outcome": outcome])
        }
        #expect(count("good", "finished") == 2)
        #expect(count("bad", "failed") == 1)
        #expect(count("quits", "cancelled") == 1)
        #expect(count("none", "failed") == 1)
        #expect(requests.samples.count == 4)
        let failures = try #require(metrics["breeze_request_failures_total"])
        #expect(failures.value(["runner": "none", "code": "unknown_runner"]) == 1)
        #expect(failures.value(["runner": "bad", "code": "run_failed"]) == 1)
        let loaded = try #require(metrics["breeze_runner_loaded"])
        #expect(loaded.value(["runner": "good"]) == 1)
    }

    /// Each duration has one cause: the load takes 3 s, reading 0.25 s, the rest of the run 1.75 s.
    @Test func `durations fall into their buckets`() async throws {
        let clock = clock
        let engine = Engine(clock: clock)
        try await engine.register(
            ScriptedRunner(
                "a",
                onLoad: { clock.advance(by: .seconds(3)) },
                onRun: { request, sink in
                    clock.advance(by: .milliseconds(250))
                    try await sink.send(InferenceChunk(requestID: request.id, .text("t")))
                    clock.advance(by: .milliseconds(1_750))
                    return "t"
                }
            )
        )
        _ = try await engine.run(chat("r"))
        let metrics = await engine.metrics()
        func distribution(_ name: String) throws -> EngineMetrics.Distribution {
            let samples = try #require(metrics[name]?.samples)
            #expect(samples.map(\.labels) == [["runner": "a"]])
            return try #require(samples.first?.distribution)
        }
        /// The least bound that holds it.
        func bound(_ name: String) throws -> Double? {
            try distribution(name).buckets.first { $0.count == 1 }?.upTo
        }
        #expect(try bound("breeze_queue_seconds") == 0.001)
        #expect(try bound("breeze_load_seconds") == 5)
        // A bound belongs to its own bucket.
        #expect(try bound("breeze_first_chunk_seconds") == 0.25)
        #expect(try bound("breeze_run_seconds") == 2.5)
        #expect(try distribution("breeze_load_seconds").sum == 3)
        #expect(try distribution("breeze_run_seconds").sum == 2)
    }

    @Test func `an observation beyond the last bound is counted`() {
        var histogram = Histogram()
        for value in [0, 0.001, 0.0011, 100, 101] { histogram.observe(value) }
        #expect(histogram.counts.first == 2)
        #expect(histogram.counts[1] == 1)
        #expect(histogram.counts.suffix(2) == [1, 1])
        #expect(histogram.cumulative.last == 5)
        #expect(Histogram.bounds == Histogram.bounds.sorted())
    }

    @Test func `what guardians and evictions report is counted`() async throws {
        let engine = Engine(clock: clock)
        var recorded = RecordedEvents(engine)
        let telemetry = engine.telemetry
        telemetry.record(.guarded(.passed, .init(stage: .input)), runner: "guard")
        telemetry.record(.guarded(.blocked, .init(stage: .output, category: "injection")), runner: "guard")
        telemetry.record(.evicted(.budget, bytes: 7), runner: "a")
        telemetry.record(.unloaded(.evicted, bytes: 7), runner: "a")
        let events = await recorded.until(.unloaded)
        #expect(events.words == ["blocked guard", "evicted a", "unloaded a"])
        #expect(events.first?.guardian == .init(stage: .output, category: "injection"))
        #expect(events.map(\.reason) == [nil, "budget", "evicted"])
        let metrics = await engine.metrics()
        let verdicts = metrics["breeze_guardian_verdicts_total"]
        #expect(verdicts?.value(["stage": "input", "action": "passed"]) == 1)
        #expect(verdicts?.value(["stage": "output", "action": "blocked"]) == 1)
        #expect(metrics["breeze_evictions_total"]?.value(["runner": "a", "reason": "budget"]) == 1)
        #expect(metrics["breeze_unloads_total"]?.value(["runner": "a", "reason": "evicted"]) == 1)
    }

    @Test func `a request that a guardian stopped is counted as blocked`() async throws {
        let engine = Engine(clock: clock)
        let telemetry = engine.telemetry
        try await engine.register(
            ScriptedRunner(
                "a",
                onRun: { _, _ in
                    telemetry.record(.guarded(.blocked, .init(stage: .output)))
                    throw BreezeError(.invalidRequest, "stopped")
                }
            )
        )
        var recorded = RecordedEvents(engine)
        _ = try? await engine.run(chat("r"))
        let events = await recorded.until(.failed)
        #expect(events.words.suffix(2) == ["blocked a", "failed a"])
        #expect(events.of("r") == events)
        let requests = await engine.metrics()["breeze_requests_total"]
        #expect(requests?.value(["runner": "a", "capability": "chat", "outcome": "blocked"]) == 1)
    }

    @Test func `tokens are counted, and absurd counts do not end the program`() async throws {
        let store = MetricStore()
        for _ in 0..<3 {
            store.count(Usage(inputTokens: 7, outputTokens: .max), runner: "a", capability: .chat)
        }
        let families = store.families
        let labels = ["runner": "a", "capability": "chat"]
        #expect(families.first { $0.name == "breeze_input_tokens_total" }?.value(labels) == 21)
        #expect(families.first { $0.name == "breeze_output_tokens_total" }?.value(labels) == Double(Int.max))
    }

    @Test func `ten thousand requests leave as many series as the first two`() async throws {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let engine = Engine(clock: clock, logger: quiet)
        try await engine.register(ScriptedRunner("a"))
        func ask(_ range: Range<Int>) async {
            for index in range {
                _ = try? await engine.run(chat("\(index)"))
                // A word that a client made up must not become a label.
                _ = try? await engine.run(
                    InferenceRequest(AICapability(rawValue: "made-up-\(index)"), prompt: "x")
                )
            }
        }
        func series() async -> Int {
            await engine.metrics().prometheus().split(separator: "\n").count { !$0.hasPrefix("#") }
        }
        await ask(0..<1)
        let before = await series()
        await ask(1..<5_000)
        #expect(await series() == before)
        let requests = await engine.metrics()["breeze_requests_total"]
        #expect(requests?.value(["runner": "a", "capability": "chat", "outcome": "finished"]) == 5_000)
        #expect(requests?.value(["runner": "none", "capability": "other", "outcome": "failed"]) == 5_000)
    }

    @Test func `runners without end are counted together beyond a limit`() {
        let store = MetricStore()
        for index in 0..<2_000 {
            store.count(.finished, nil, runner: "runner-\(index)", capability: .chat)
        }
        let samples = store.families.first { $0.name == "breeze_requests_total" }?.samples ?? []
        let rest = ["runner": "other", "capability": "other", "outcome": "other"]
        #expect(samples.count == Series<Int>.limit + 1)
        #expect(samples.first { $0.labels == rest }?.value == Double(2_000 - Series<Int>.limit))
    }

    #if os(Linux) || canImport(Darwin)
    @Test func `the process' own figures grow with what it does`() {
        let before = ProcessUsage.current
        var bytes = [UInt8](repeating: 1, count: 64 << 20)
        for index in stride(from: 0, to: bytes.count, by: 4_096) { bytes[index] &+= 1 }
        let after = ProcessUsage.current
        #expect(after.processorSeconds > before.processorSeconds)
        #expect((after.residentBytes ?? 0) - (before.residentBytes ?? 0) > 32 << 20)
        #expect(bytes[4_096] == 2)
    }
    #endif
}
