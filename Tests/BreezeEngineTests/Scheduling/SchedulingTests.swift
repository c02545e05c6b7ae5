import BreezeCore
import BreezeTestSupport
import Synchronization
import Testing

@testable import BreezeEngine

/// The queue at work in the engine: order, bounds, deadlines, what callers see.
@Suite struct SchedulingTests {
    private let clock = ManualClock()

    private func engine(
        _ runner: ScriptedRunner,
        _ flags: [String] = []
    ) async throws -> (Engine, RunnerGate) {
        let engine = Engine(settings: ScriptedSettings(flags), clock: clock)
        try await engine.register(runner)
        return (engine, try #require(engine.registry[runner.id]).gate)
    }

    private func request(
        _ id: String,
        _ priority: RequestPriority = .normal,
        client: String? = nil,
        timeout: Double? = nil
    ) -> InferenceRequest {
        InferenceRequest(
            .chat,
            prompt: "x",
            id: id,
            configuration: InferenceConfig(timeout: timeout),
            priority: priority,
            client: client
        )
    }

    /// Starts the requests one after the other, so that they join in this order; the first one runs.
    private func join(
        _ requests: [InferenceRequest],
        _ engine: Engine,
        _ gate: RunnerGate
    ) async -> [Task<InferenceResult, any Error>] {
        var tasks: [Task<InferenceResult, any Error>] = []
        for request in requests {
            let before = gate.counts
            tasks.append(Task { try await engine.run(request) })
            await eventually("\(request.id) joins") {
                gate.counts.running + gate.counts.waiting == before.running + before.waiting + 1
            }
        }
        return tasks
    }

    @Test func `clients take turns at a runner, and a person goes first`() async throws {
        let gate = Gate()
        let order = Mutex<[String]>([])
        let runner = ScriptedRunner(
            "a",
            onRun: { request, _ in
                order.withLock { $0.append(request.id) }
                await gate.pass()
                return ""
            }
        )
        let (engine, queue) = try await engine(runner)
        var requests = [request("first")]
        for client in ["a", "b", "c"] {
            for index in 1...3 { requests.append(request("\(client)\(index)", client: client)) }
        }
        requests.append(request("indexing", .background, client: "d"))
        requests.append(request("person", .userInitiated, client: "c"))
        let tasks = await join(requests, engine, queue)
        gate.open()
        for task in tasks { _ = try await task.value }
        // The background's turn is the ninth that it waits for: eight went before it.
        #expect(
            order.withLock { $0 } == [
                "first", "person", "a1", "b1", "c1", "a2", "b2", "c2", "a3", "indexing", "b3", "c3",
            ]
        )
        #expect(queue.counts == .init())
    }

    @Test func `a full queue is busy, and says when to come again`() async throws {
        let (gates, started) = ([Gate(), Gate()], AsyncStream.makeStream(of: Void.self))
        let runs = Mutex(0)
        let runner = ScriptedRunner(
            "a",
            onRun: { _, _ in
                let run = runs.withLock { runs in
                    defer { runs += 1 }
                    return runs
                }
                started.continuation.yield()
                await gates[min(run, 1)].pass()
                return ""
            }
        )
        let (engine, queue) = try await engine(
            runner,
            ["scheduling.queueLimit=3", "scheduling.clientLimit=2"]
        )
        var starts = started.stream.makeAsyncIterator()
        let measured = Task { try await engine.run(request("measured")) }
        await starts.next()
        clock.advance(by: .seconds(4))
        gates[0].open()
        _ = try await measured.value
        let tasks = await join(
            [request("runs"), request("1", client: "b"), request("2", client: "b")],
            engine,
            queue
        )
        let ofClient = await #expect(throws: BreezeError.self) {
            try await engine.run(request("3", client: "b"))
        }
        // A run takes 4 s, and b's own two go before it.
        #expect(
            ofClient
                == BreezeError(
                    .busy,
                    "2 requests of this client wait for a already, as many as may. Try again in 8 s.",
                    remedy: "scheduling.clientLimit lets more wait.",
                    retryAfter: .seconds(8)
                )
        )
        let last = await join([request("3")], engine, queue)
        let full = await #expect(throws: BreezeError.self) { try await engine.run(request("4")) }
        // Its client has one in the queue already, so that both of b's and that one go before it.
        #expect(
            full
                == BreezeError(
                    .busy,
                    "3 requests wait for a already, as many as may. Try again in 12 s.",
                    remedy: "scheduling.queueLimit lets more wait.",
                    retryAfter: .seconds(12)
                )
        )
        gates[1].open()
        for task in tasks + last { _ = try await task.value }
        #expect(queue.counts == .init())
    }

    @Test func `where a runner is busy, the next one answers`() async throws {
        let gate = Gate()
        let busy = ScriptedRunner(
            "busy",
            qualityTier: 9,
            onRun: { _, _ in
                await gate.pass()
                return ""
            }
        )
        let (engine, queue) = try await engine(busy, ["scheduling.queueLimit=1"])
        try await engine.register(ScriptedRunner("other", onRun: { _, _ in "hi" }))
        let tasks = await join([request("1"), request("2")], engine, queue)
        let result = try await engine.run(request("3"))
        #expect(result.runner == "other")
        #expect(result.routing?.failures.first?.error.code == .busy)
        gate.open()
        for task in tasks { _ = try await task.value }
    }

    @Test func `the timeout counts from the arrival, in the queue too`() async throws {
        let gate = Gate()
        let runner = ScriptedRunner(
            "a",
            onRun: { _, _ in
                await gate.pass()
                return ""
            }
        )
        let (engine, queue) = try await engine(runner)
        let tasks = await join([request("runs"), request("waits", timeout: 5)], engine, queue)
        await clock.sleeper(within: .seconds(5))
        clock.advance(by: .seconds(4))
        #expect(queue.counts.waiting == 1)
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: BreezeError.self) { try await tasks[1].value }
        #expect(error?.code == .timeout)
        #expect(queue.counts == .init(running: 1, waiting: 0, stuck: 0))
        gate.open()
        _ = try await tasks[0].value
        #expect(runner.counts.runs == 1)
    }

    @Test func `who is cancelled in the queue leaves it at once and never runs`() async throws {
        let gate = Gate()
        let runner = ScriptedRunner(
            "a",
            onRun: { _, _ in
                await gate.pass()
                return ""
            }
        )
        let (engine, queue) = try await engine(runner)
        let tasks = await join([request("runs"), request("1"), request("2")], engine, queue)
        #expect(await engine.cancel("1"))
        #expect(queue.counts == .init(running: 1, waiting: 1, stuck: 0))
        let error = await #expect(throws: BreezeError.self) { try await tasks[1].value }
        #expect(error?.code == .cancelled)
        gate.open()
        _ = try await tasks[0].value
        _ = try await tasks[2].value
        #expect(runner.counts.runs == 2)
    }

    @Test func `a stream tells its position, then that the runner loads`() async throws {
        let gate = Gate()
        let runner = ScriptedRunner(
            "a",
            onRun: { _, _ in
                await gate.pass()
                return ""
            }
        )
        let (engine, queue) = try await engine(runner)
        let tasks = await join((1...9).map { request("\($0)") }, engine, queue)
        let stream = engine.stream(request("watched"))
        var chunks: [InferenceChunk] = []
        for try await chunk in stream {
            if chunks.isEmpty { gate.open() }
            chunks.append(chunk)
        }
        for task in tasks { _ = try await task.value }
        let stages = chunks.compactMap { chunk -> String? in
            guard case .progress(let progress) = chunk.content else { return nil }
            return "\(progress.stage) \(progress.completed)/\(progress.total)"
        }
        // Nine turns to go, then half of it and less; a reader that is slow misses steps in between. The runner
        // is loaded by then.
        #expect(stages.first == "waiting 0/9")
        #expect(Set(stages).isSubset(of: ["waiting 0/9", "waiting 5/9", "waiting 7/9", "waiting 8/9"]))
        #expect(stages.count == Set(stages).count)
        #expect(chunks.last?.result?.runner == "a")
        let fresh = ScriptedRunner("fresh")
        try await engine.register(fresh)
        var named = request("loads")
        named.runnerID = "fresh"
        var first: InferenceChunk.Content?
        for try await chunk in engine.stream(named) { first = first ?? chunk.content }
        #expect(first == .progress(.init(stage: "loading", completed: 0, total: 1)))
    }

    @Test func `who streams hears how far the load is`() async throws {
        let engine = Engine()
        let heard = Gate()
        // It goes on when its step was heard, so that the step is not passed over.
        let runner = ScriptedRunner("a", loadSteps: 1, onLoad: { await heard.pass() })
        try await engine.register(runner)
        var stages: [InferenceChunk.Progress] = []
        for try await chunk in engine.stream(request("x")) {
            guard case .progress(let progress) = chunk.content else { continue }
            stages.append(progress)
            if progress.completed == 1 { heard.open() }
        }
        #expect(stages.map(\.completed) == [0, 1])
    }
}
