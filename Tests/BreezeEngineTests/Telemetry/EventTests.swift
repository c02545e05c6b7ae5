import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct EventTests {
    private let clock = ManualClock()

    private func engine(_ runners: ScriptedRunner...) async throws -> Engine {
        let engine = Engine(clock: clock)
        for runner in runners { try await engine.register(runner) }
        return engine
    }

    private func chat(_ id: String) -> InferenceRequest { InferenceRequest(.chat, prompt: "x", id: id) }

    @Test func `a plain request tells its way with the time that each step took`() async throws {
        let clock = clock
        let runner = ScriptedRunner(
            "a",
            memoryEstimate: 1_000,
            onLoad: { clock.advance(by: .seconds(3)) },
            onRun: { request, sink in
                clock.advance(by: .seconds(2))
                for _ in 0..<3 { try await sink.send(InferenceChunk(requestID: request.id, .text("t"))) }
                clock.advance(by: .seconds(4))
                return "ttt"
            }
        )
        let engine = Engine(clock: clock)
        try await engine.register(runner)
        var recorded = RecordedEvents(engine)
        clock.advance(by: .seconds(100))
        let result = try await engine.run(chat("r"))
        let events = await recorded.until(.finished)
        #expect(
            events.words == ["routed a", "loading a", "loaded a", "started a", "first_chunk a", "finished a"]
        )
        #expect(events.map(\.duration) == [0, nil, 3, 3, 2, 9])
        #expect(events.map(\.uptime) == [100, 100, 103, 103, 105, 109])
        #expect(events.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(events.allSatisfy { $0.requestID == "r" && $0.capability == .chat })
        #expect(events[2].bytes == 1_000)
        #expect(events.last?.timings == result.timings)
    }

    @Test func `how far a load is, is told of the request that led to it`() async throws {
        let engine = try await engine(ScriptedRunner("a", loadSteps: 4))
        var recorded = RecordedEvents(engine)
        _ = try await engine.run(chat("r"))
        let steps = await recorded.until(.finished).filter { $0.kind == .loadProgress }
        #expect(steps.map(\.progress) == [0.25, 0.5, 0.75, 1])
        #expect(steps.allSatisfy { $0.requestID == "r" && $0.runner == "a" })
    }

    @Test func `a loaded runner is not loaded again, and an unload is told`() async throws {
        let engine = try await engine(ScriptedRunner("a"))
        _ = try await engine.run(chat("1"))
        var recorded = RecordedEvents(engine)
        _ = try await engine.run(chat("2"))
        try await engine.unload("a")
        let events = await recorded.until(.unloaded)
        #expect(events.words == ["routed a", "started a", "finished a", "unloaded a"])
        #expect(events.last?.requestID == nil)
        #expect(events.last?.reason == "request")
    }

    @Test func `a fallback names the runner that failed and the one that answers`() async throws {
        let bad = ScriptedRunner(
            "bad",
            qualityTier: 9,
            onRun: { _, _ in throw BreezeError(.runFailed, "torn") }
        )
        let engine = try await engine(bad, ScriptedRunner("good"))
        var recorded = RecordedEvents(engine)
        _ = try await engine.run(chat("r"))
        let events = await recorded.until(.finished)
        #expect(
            events.words == [
                "routed bad", "loading bad", "loaded bad", "started bad", "runner_failed bad",
                "routed good", "loading good", "loaded good", "started good", "finished good",
            ]
        )
        #expect(events[4].reason == "run_failed")
    }

    @Test func `a load that fails is told with its code, and so is the request`() async throws {
        let engine = try await engine(
            ScriptedRunner("a", onLoad: { throw BreezeError(.insufficientMemory, "full") })
        )
        var recorded = RecordedEvents(engine)
        await #expect(throws: BreezeError.self) { try await engine.run(chat("r")) }
        let events = await recorded.until(.failed)
        #expect(events.words == ["routed a", "loading a", "load_failed a", "runner_failed a", "failed a"])
        #expect(events.map(\.reason).suffix(3) == Array(repeating: "insufficient_memory", count: 3))
    }

    @Test func `a request that nobody may answer has one event`() async throws {
        let engine = try await engine()
        var recorded = RecordedEvents(engine)
        await #expect(throws: BreezeError.self) { try await engine.run(chat("r")) }
        let events = await recorded.until(.failed)
        #expect(events.words == ["failed"])
        #expect(events.first?.reason == "no_runner")
    }

    @Test func `a cancelled request ends there, whatever its runner does later`() async throws {
        let (gate, ended) = (Gate(), Gate())
        let started = AsyncStream.makeStream(of: Void.self)
        let deaf = ScriptedRunner(
            "deaf",
            onRun: { request, sink in
                started.continuation.yield()
                await gate.pass()
                // Its sink is closed by now, and it does not care.
                try? await sink.send(InferenceChunk(requestID: request.id, .text("late")))
                ended.open()
                return "late"
            }
        )
        let engine = try await engine(deaf)
        var recorded = RecordedEvents(engine)
        let task = Task { try await engine.run(chat("r")) }
        var starts = started.stream.makeAsyncIterator()
        await starts.next()
        await engine.cancel("r")
        await #expect(throws: BreezeError.self) { try await task.value }
        gate.open()
        await ended.pass()
        // Waits for the place that the deaf run held.
        _ = try await engine.run(chat("next"))
        let events = await recorded.until { $0.kind == .finished && $0.requestID == "next" }
        #expect(
            events.of("r").words == [
                "routed deaf", "loading deaf", "loaded deaf", "started deaf", "cancelled deaf",
            ]
        )
        #expect(events.of("r").last?.reason == nil)
    }

    @Test func `two requests share one load, and the second waits for its turn`() async throws {
        let gate = Gate()
        let loading = AsyncStream.makeStream(of: Void.self)
        let runner = ScriptedRunner(
            "a",
            concurrency: 2,
            onLoad: {
                loading.continuation.yield()
                await gate.pass()
            }
        )
        let engine = try await engine(runner)
        var recorded = RecordedEvents(engine)
        let first = Task { try await engine.run(chat("1")) }
        var loads = loading.stream.makeAsyncIterator()
        await loads.next()
        // A position is told where somebody hears it.
        func heard(_ id: String) -> InferenceRequest {
            var request = chat(id)
            request.streamingCallback = { _ in }
            return request
        }
        let second = Task { try await engine.run(heard("2")) }
        let third = Task { try await engine.run(heard("3")) }
        var events = await recorded.until(.queued)
        #expect(events.last?.position == 1)
        let waiting = events.last?.requestID
        #expect(waiting == "2" || waiting == "3")
        #expect(await engine.runners().map(\.running) == [2])
        #expect(await engine.runners().map(\.waiting) == [1])
        gate.open()
        for task in [first, second, third] { _ = try await task.value }
        var finished = 0
        events += await recorded.until { event in
            if event.kind == .finished { finished += 1 }
            return finished == 3
        }
        #expect(events.filter { $0.kind == .loading }.map(\.requestID) == ["1"])
        #expect(events.filter { $0.kind == .loaded }.map(\.requestID) == ["1"])
        #expect(events.filter { $0.kind == .started }.count == 3)
        #expect(await engine.runners().map(\.running) == [0])
    }

    @Test func `a load that outlives its request is told without it`() async throws {
        let gate = Gate()
        let loading = AsyncStream.makeStream(of: Void.self)
        let runner = ScriptedRunner(
            "a",
            onLoad: {
                loading.continuation.yield()
                await gate.pass()
            }
        )
        let engine = try await engine(runner)
        var recorded = RecordedEvents(engine)
        let first = Task { try await engine.run(chat("1")) }
        var loads = loading.stream.makeAsyncIterator()
        await loads.next()
        await engine.cancel("1")
        await #expect(throws: BreezeError.self) { try await first.value }
        let second = Task { try await engine.run(chat("2")) }
        gate.open()
        _ = try await second.value
        let events = await recorded.until(.finished)
        #expect(events.of("1").words == ["routed a", "loading a", "cancelled a"])
        #expect(events.filter { $0.kind == .loaded }.map(\.requestID) == [nil])
        #expect(events.of("2").words == ["routed a", "started a", "finished a"])
    }

    @Test func `a stream that nobody reads any more is a cancelled request`() async throws {
        let endless = ScriptedRunner(
            "a",
            onRun: { request, sink in
                while true { try await sink.send(InferenceChunk(requestID: request.id, .text("t"))) }
            }
        )
        let engine = try await engine(endless)
        var recorded = RecordedEvents(engine)
        for try await chunk in engine.stream(chat("r")) where chunk.isAnswer { break }
        let events = await recorded.until(.cancelled)
        #expect(
            events.words == [
                "routed a", "loading a", "loaded a", "started a", "first_chunk a", "cancelled a",
            ]
        )
        #expect(
            await engine.metrics()["breeze_requests_total"]?.samples.first?.labels["outcome"] == "cancelled"
        )
    }

    @Test func `a timeout is a failure with its code`() async throws {
        let gate = Gate()
        let engine = try await engine(
            ScriptedRunner(
                "a",
                onRun: { _, _ in
                    await gate.pass(); return ""
                }
            )
        )
        var recorded = RecordedEvents(engine)
        let request = InferenceRequest(.chat, prompt: "x", configuration: InferenceConfig(timeout: 5))
        let task = Task { try await engine.run(request) }
        await clock.sleeper(within: .seconds(5))
        _ = await recorded.until(.started)
        clock.advance(by: .seconds(5))
        await #expect(throws: BreezeError.self) { try await task.value }
        let last = await recorded.until(.failed).last
        #expect(last?.reason == "timeout")
        #expect(last?.duration == 5)
        gate.open()
    }

    @Test func `an event survives JSON`() async throws {
        let engine = try await engine(ScriptedRunner("a"))
        var recorded = RecordedEvents(engine)
        _ = try await engine.run(chat("r"))
        for event in await recorded.until(.finished) {
            let data = try JSONEncoder().encode(event)
            #expect(try JSONDecoder().decode(EngineEvent.self, from: data) == event)
        }
    }

    @Test func `a marked prompt and answer are in no event and no metric`() async throws {
        struct Chatty: Error { let prompt: String }
        let marker = "XYZZY-4711"
        let runner = ScriptedRunner(
            "a",
            onRun: { request, sink in
                try await sink.send(InferenceChunk(requestID: request.id, .text(marker)))
                return marker
            }
        )
        let bad = ScriptedRunner("b", [.embedding], onRun: { _, _ in throw Chatty(prompt: marker) })
        let worse = ScriptedRunner("c", [.asr], onRun: { _, _ in throw BreezeError(.runFailed, marker) })
        let engine = try await engine(runner, bad, worse)
        var recorded = RecordedEvents(engine)
        let message = ChatMessage(.user, marker)
        let requests = [
            InferenceRequest(.chat, prompt: marker), InferenceRequest(.chat, messages: [message]),
            InferenceRequest(.embedding, inputs: [marker]),
            InferenceRequest(.asr, audioData: Data(marker.utf8)),
            InferenceRequest(AICapability(rawValue: marker), prompt: marker),
            InferenceRequest(.chat, prompt: marker, runnerID: marker),
        ]
        for request in requests { _ = try? await engine.run(request) }
        var ended = 0
        let events = await recorded.until { event in
            if event.kind == .finished || event.kind == .failed { ended += 1 }
            return ended == requests.count
        }
        let text = String(decoding: try JSONEncoder().encode(events), as: UTF8.self)
        #expect(events.filter { $0.kind == .finished }.count == 2)
        #expect(!text.contains(marker))
        #expect(await !engine.metrics().prometheus().contains(marker))
    }
}
