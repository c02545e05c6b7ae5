import BreezeCore
import BreezeTestSupport
import Testing

@testable import BreezeEngine

/// Runs that go on though nobody waits for them.
@Suite struct StuckRunTests {
    private let clock = ManualClock()
    private let gate = Gate()
    private let log = LogCollector()

    /// An engine with a runner that ignores being cancelled until the gate opens, and as many of its runs as it
    /// has places.
    private func held(width: Int) async throws -> (Engine, RunnerGate, [Task<InferenceResult, any Error>]) {
        let deaf = ScriptedRunner(
            "deaf",
            concurrency: width,
            onRun: { [gate] _, _ in
                await gate.pass()
                return "hi"
            }
        )
        // Without a keep-alive no timer sleeps once all is over.
        let settings = ScriptedSettings(["residency.keepAlive=-1"])
        let engine = Engine(settings: settings, clock: clock, logger: log.logger)
        try await engine.register(deaf)
        let queue = try #require(engine.registry["deaf"]).gate
        let tasks = (0..<width).map { index in Task { try await engine.run(request("held \(index)")) } }
        await eventually("all places are taken") { deaf.counts.overlapping == width }
        return (engine, queue, tasks)
    }

    private func request(_ id: String) -> InferenceRequest { InferenceRequest(.chat, prompt: "x", id: id) }

    @Test func `a run that does not end keeps its place, is counted and logged once`() async throws {
        let (engine, queue, tasks) = try await held(width: 2)
        await engine.cancel("held 0")
        await #expect(throws: BreezeError.self) { try await tasks[0].value }
        #expect(queue.counts == .init(running: 2, waiting: 0, stuck: 0))
        await clock.sleeper(within: .seconds(5))
        clock.advance(by: .seconds(4))
        #expect(queue.counts.stuck == 0)
        clock.advance(by: .seconds(1))
        await eventually("it is stuck") { queue.counts.stuck == 1 }
        let status = try #require(await engine.runners().first)
        #expect([status.running, status.waiting, status.stuck] == [2, 0, 1])
        clock.advance(by: .seconds(100))
        await eventually("it is logged") { !log.all.isEmpty }
        #expect(log.all == ["deaf goes on with a cancelled run, whose place stays taken"])
        gate.open()
        _ = try await tasks[1].value
        await eventually("the places are given back") { queue.counts == .init() }
        #expect(queue.remains == 0)
        #expect(clock.sleeping == 0)
    }

    @Test func `where such runs hold every place, who waits and who comes is told busy`() async throws {
        let (engine, queue, tasks) = try await held(width: 1)
        let waiting = Task { try await engine.run(request("waits")) }
        await eventually("it waits") { queue.counts.waiting == 1 }
        await engine.cancel("held 0")
        await #expect(throws: BreezeError.self) { try await tasks[0].value }
        // It may yet end: who comes now waits.
        let second = Task { try await engine.run(request("waits too")) }
        await eventually("it waits too") { queue.counts.waiting == 2 }
        await clock.sleeper(within: .seconds(5))
        clock.advance(by: .seconds(5))
        let busy = BreezeError(
            .busy,
            "Cancelled runs that do not end hold the one place of deaf. Try again in 5 s.",
            remedy: "Restart the program if this lasts.",
            retryAfter: .seconds(5)
        )
        await #expect(throws: busy) { try await waiting.value }
        await #expect(throws: busy) { try await second.value }
        await #expect(throws: busy) { try await engine.run(request("comes")) }
        #expect(queue.counts == .init(running: 1, waiting: 0, stuck: 1))
        gate.open()
        await eventually("the place is given back") { queue.counts == .init() }
        #expect(try await engine.run(request("again")).output.text == "hi")
        #expect(queue.remains == 0)
    }

    @Test func `one that ends in time serves who waits, and nothing is logged`() async throws {
        let (engine, queue, tasks) = try await held(width: 1)
        let waiting = Task { try await engine.run(request("waits")) }
        await eventually("it waits") { queue.counts.waiting == 1 }
        await engine.cancel("held 0")
        await #expect(throws: BreezeError.self) { try await tasks[0].value }
        await clock.sleeper(within: .seconds(5))
        clock.advance(by: .seconds(4))
        gate.open()
        #expect(try await waiting.value.output.text == "hi")
        clock.advance(by: .seconds(100))
        #expect(queue.counts == .init())
        #expect(queue.remains == 0)
        #expect(log.all.isEmpty)
    }
}
