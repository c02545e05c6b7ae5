import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ExecutionTests {
    private func engine(
        _ runners: ScriptedRunner...,
        clock: any Clock<Duration> = ManualClock()
    ) async throws -> Engine {
        let engine = Engine(clock: clock)
        for runner in runners { try await engine.register(runner) }
        return engine
    }

    @Test func `no able runner is an error a caller can branch on`() async throws {
        let engine = try await engine()
        let error = await #expect(throws: BreezeError.self) {
            try await engine.run(InferenceRequest(.chat, prompt: "hello"))
        }
        #expect(error?.code == .noRunner)
    }

    @Test(arguments: [
        (
            InferenceRequest(AICapability(rawValue: "chatt"), prompt: "x"), "unknown_capability",
            "Did you mean chat?"
        ),
        (InferenceRequest(.chat, prompt: "x", runnerID: "ownn:m"), "unknown_runner", "Did you mean own:m?"),
        (
            InferenceRequest(.chat, prompt: "x", modelID: "model-on"), "unknown_model",
            "Did you mean model-one?"
        ),
    ])
    func `an unknown name is an error with the nearest one`(
        request: InferenceRequest,
        code: String,
        remedy: String
    ) async throws {
        let runner = ScriptedRunner("own:m", model: ModelInfo(id: "model-one", format: .gguf))
        let engine = try await engine(runner)
        let error = await #expect(throws: BreezeError.self) { try await engine.run(request) }
        #expect(error?.code.rawValue == code)
        #expect(error?.remedy == remedy)
    }

    @Test func `a hundred callers load a runner once`() async throws {
        let gate = Gate()
        let runner = ScriptedRunner("a", concurrency: 4, onLoad: { await gate.pass() })
        let engine = try await engine(runner)
        try await withThrowingTaskGroup { group in
            for index in 0..<100 {
                group.addTask { try await engine.run(InferenceRequest(.chat, prompt: "x", id: "\(index)")) }
            }
            gate.open()
            for try await _ in group {}
        }
        #expect(runner.counts.loads == 1)
        #expect(runner.counts.runs == 100)
        #expect(runner.counts.mostOverlapping <= 4)
    }

    @Test @MainActor func `the main actor goes on while a load and a run stand still`() async throws {
        let (loading, running) = (Gate(), Gate())
        let arrived = AsyncStream.makeStream(of: String.self)
        let runner = ScriptedRunner(
            "a",
            onLoad: {
                arrived.continuation.yield("load")
                await loading.pass()
            },
            onRun: { _, _ in
                arrived.continuation.yield("run")
                await running.pass()
                return "done"
            }
        )
        let engine = try await engine(runner)
        let task = Task { try await engine.run(InferenceRequest(.chat, prompt: "x")) }
        var stages = arrived.stream.makeAsyncIterator()
        var ticks = 0
        for gate in [loading, running] {
            _ = await stages.next()
            for _ in 0..<100 {
                await Task.yield()
                ticks += 1
            }
            gate.open()
        }
        #expect(ticks == 200)
        #expect(try await task.value.output.text == "done")
    }

    @Test func `a runner that fails before its first chunk is followed by the next`() async throws {
        let bad = ScriptedRunner(
            "bad",
            qualityTier: 9,
            onRun: { _, _ in throw BreezeError(.loadFailed, "torn file") }
        )
        let good = ScriptedRunner("good", onRun: { _, _ in "hi" })
        let engine = try await engine(bad, good)
        let result = try await engine.run(InferenceRequest(.chat, prompt: "x"))
        #expect(result.runner == "good")
        #expect(result.routing?.chosen == "good")
        #expect(
            result.routing?.failures == [.init(runner: "bad", error: BreezeError(.loadFailed, "torn file"))]
        )
        #expect(result.notices == ["bad failed (torn file), so good answered."])
    }

    @Test func `a runner that fails after its first chunk ends the answer`() async throws {
        let bad = ScriptedRunner(
            "bad",
            qualityTier: 9,
            onRun: { request, sink in
                try await sink.send(InferenceChunk(requestID: request.id, .text("half an ")))
                throw BreezeError(.runFailed, "broke")
            }
        )
        let good = ScriptedRunner("good", onRun: { _, _ in "whole" })
        let engine = try await engine(bad, good)
        var text = ""
        let error = await #expect(throws: BreezeError.self) {
            for try await chunk in engine.stream(InferenceRequest(.chat, prompt: "x")) {
                text += chunk.text ?? ""
            }
        }
        #expect(error?.message == "broke")
        #expect(text == "half an ")
        #expect(good.counts.runs == 0)
    }

    @Test func `a wrong parameter is the caller's fault and no reason to try another`() async throws {
        let strict = ScriptedRunner(
            "strict",
            schema: ParameterSchema([
                ParameterDescriptor("topK", "", summary: "", kind: .integer(min: 1))
            ]),
            qualityTier: 9
        )
        let other = ScriptedRunner("other")
        let engine = try await engine(strict, other)
        let request = InferenceRequest(.chat, prompt: "x", configuration: InferenceConfig(topK: 0))
        let error = await #expect(throws: BreezeError.self) { try await engine.run(request) }
        #expect(error?.code == .invalidParameter)
        #expect(other.counts.runs == 0)
    }

    @Test func `when all fail, the error names each`() async throws {
        let a = ScriptedRunner("a", onRun: { _, _ in throw BreezeError(.runFailed, "one") })
        let b = ScriptedRunner("b", onRun: { _, _ in throw BreezeError(.loadFailed, "two") })
        let engine = try await engine(a, b)
        let error = await #expect(throws: BreezeError.self) {
            try await engine.run(InferenceRequest(.chat, prompt: "x"))
        }
        #expect(error?.message == "Every runner that may answer failed (a: one; b: two).")
    }

    @Test func `cancel by id reaches the runner`() async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let runner = ScriptedRunner(
            "a",
            onRun: { _, _ in
                started.continuation.yield()
                try await ContinuousClock().sleep(for: .seconds(3_600))
                return ""
            }
        )
        let engine = try await engine(runner)
        let task = Task { try await engine.run(InferenceRequest(.chat, prompt: "x", id: "r")) }
        var starts = started.stream.makeAsyncIterator()
        await starts.next()
        #expect(await engine.cancel("r"))
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        // Whoever waited is told at once, and the work ends a moment after it.
        for _ in 0..<100_000 where await engine.cancel("r") { await Task.yield() }
        #expect(await !engine.cancel("r"))
    }

    @Test func `a request that takes too long is ended by the clock, even one that does not listen`()
        async throws
    {
        let clock = ManualClock()
        let gate = Gate()
        let deaf = ScriptedRunner(
            "deaf",
            onRun: { _, _ in
                await gate.pass()
                return ""
            }
        )
        let engine = try await engine(deaf, clock: clock)
        let request = InferenceRequest(.chat, prompt: "x", configuration: InferenceConfig(timeout: 5))
        let task = Task { try await engine.run(request) }
        await clock.sleeper(within: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code == .timeout)
        gate.open()
    }

    @Test func `two requests of one id do not run at once`() async throws {
        let gate = Gate()
        let started = AsyncStream.makeStream(of: Void.self)
        let runner = ScriptedRunner(
            "a",
            concurrency: 2,
            onRun: { _, _ in
                started.continuation.yield()
                await gate.pass()
                return ""
            }
        )
        let engine = try await engine(runner)
        let first = Task { try await engine.run(InferenceRequest(.chat, prompt: "x", id: "r")) }
        var starts = started.stream.makeAsyncIterator()
        await starts.next()
        let error = await #expect(throws: BreezeError.self) {
            try await engine.run(InferenceRequest(.chat, prompt: "x", id: "r"))
        }
        #expect(error?.code == .invalidRequest)
        gate.open()
        _ = try await first.value
        _ = try await engine.run(InferenceRequest(.chat, prompt: "x", id: "r"))
    }

    @Test func `a failed load is tried again by the next request`() async throws {
        let attempts = Mutex(0)
        let runner = ScriptedRunner(
            "a",
            onLoad: {
                let attempt = attempts.withLock { count in
                    count += 1
                    return count
                }
                if attempt == 1 { throw BreezeError(.loadFailed, "not yet") }
            },
            onRun: { _, _ in "hi" }
        )
        let engine = try await engine(runner)
        await #expect(throws: BreezeError(.loadFailed, "not yet")) {
            try await engine.run(InferenceRequest(.chat, prompt: "x"))
        }
        #expect(try await engine.run(InferenceRequest(.chat, prompt: "x")).output.text == "hi")
    }

    @Test func `a runner can be replaced and removed while the engine lives`() async throws {
        let old = ScriptedRunner("a", onRun: { _, _ in "old" })
        let engine = try await engine(old)
        _ = try await engine.run(InferenceRequest(.chat, prompt: "x"))
        await engine.replace(ScriptedRunner("a", onRun: { _, _ in "new" }))
        #expect(old.counts.unloads == 1)
        #expect(try await engine.run(InferenceRequest(.chat, prompt: "x")).output.text == "new")
        await #expect(throws: BreezeError.self) { try await engine.register(ScriptedRunner("a")) }
        #expect(await engine.remove("a"))
        #expect(await !engine.remove("a"))
        #expect(await engine.runners().isEmpty)
    }

    @Test func `availability is asked again once something changed`() async throws {
        let runner = ScriptedRunner("a", availability: .unavailable(reason: "no file", remedy: nil))
        let engine = try await engine(runner)
        #expect(try await engine.explain(InferenceRequest(.chat)).chosen == nil)
        runner.become(.available)
        #expect(try await engine.explain(InferenceRequest(.chat)).chosen == nil)
        await engine.refreshAvailability()
        #expect(try await engine.explain(InferenceRequest(.chat)).chosen == "a")
    }

    @Test func `availability is asked again once the settings changed`() async throws {
        let folder = try ScratchFolder()
        let store = SettingsStore(file: folder.url.appending(path: "settings.json"))
        let engine = Engine(settings: store)
        let runner = ScriptedRunner("a", availability: .unavailable(reason: "no file", remedy: nil))
        try await engine.register(runner)
        #expect(try await engine.explain(InferenceRequest(.chat)).chosen == nil)
        runner.become(.available)
        try store.write("log.level", text: "debug")
        #expect(try await engine.explain(InferenceRequest(.chat)).chosen == "a")
    }

    @Test func `a runner that makes an error of its own of a cancellation is still cancelled`() async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let runner = ScriptedRunner(
            "a",
            onRun: { _, _ in
                started.continuation.yield()
                try? await ContinuousClock().sleep(for: .seconds(3_600))
                throw BreezeError(.runFailed, "interrupted")
            }
        )
        let engine = try await engine(runner)
        let task = Task { try await engine.run(InferenceRequest(.chat, prompt: "x", id: "r")) }
        var starts = started.stream.makeAsyncIterator()
        await starts.next()
        await engine.cancel("r")
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test func `a runner that stops by itself has failed, and the next one answers`() async throws {
        let quitter = ScriptedRunner("quitter", qualityTier: 9, onRun: { _, _ in throw CancellationError() })
        let engine = try await engine(quitter, ScriptedRunner("other", onRun: { _, _ in "hi" }))
        let result = try await engine.run(InferenceRequest(.chat, prompt: "x"))
        #expect(result.runner == "other")
        #expect(result.routing?.failures.first?.error.code == .runFailed)
    }

    @Test func `a cancelled caller does not wait for a runner that does not listen`() async throws {
        let gate = Gate()
        let started = AsyncStream.makeStream(of: Void.self)
        let deaf = ScriptedRunner(
            "deaf",
            onRun: { _, _ in
                started.continuation.yield()
                await gate.pass()
                return ""
            }
        )
        let engine = try await engine(deaf)
        let task = Task { try await engine.run(InferenceRequest(.chat, prompt: "x")) }
        var starts = started.stream.makeAsyncIterator()
        await starts.next()
        task.cancel()
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        gate.open()
    }

    @Test func `an error of another type never brings its text into the message`() async throws {
        struct Chatty: Error { let prompt = "a secret" }
        let engine = try await engine(ScriptedRunner("a", onRun: { _, _ in throw Chatty() }))
        let error = await #expect(throws: BreezeError.self) {
            try await engine.run(InferenceRequest(.chat, prompt: "a secret"))
        }
        #expect(error?.message == "The runner failed with an unforeseen error (Chatty).")
        #expect(error?.underlying is Chatty)
    }

    @Test func `a capability that is named twice makes one candidate`() async throws {
        let engine = try await engine(ScriptedRunner("a", [.vlm, AICapability(rawValue: "vision")]))
        #expect(try await engine.explain(InferenceRequest(.vlm)).candidates.count == 1)
    }

    @Test func `a runner cannot loosen the engine's own timeout`() async throws {
        let schema = ParameterSchema([ParameterDescriptor("timeout", "", summary: "", kind: .number())])
        let engine = try await engine(ScriptedRunner("a", schema: schema))
        let request = InferenceRequest(.chat, prompt: "x", configuration: InferenceConfig(timeout: 1e300))
        let error = await #expect(throws: BreezeError.self) { try await engine.run(request) }
        #expect(error?.code == .invalidParameter)
    }

    @Test func `a fault in one runner's settings leaves the others able`() async throws {
        let engine = Engine(settings: ScriptedSettings(["runners.a.temprature=1"]))
        try await engine.register(ScriptedRunner("a", qualityTier: 9))
        try await engine.register(ScriptedRunner("b", onRun: { _, _ in "hi" }))
        let result = try await engine.run(InferenceRequest(.chat, prompt: "x"))
        #expect(result.runner == "b")
        #expect(result.routing?.failures.first?.error.code == .invalidSetting)
    }

    @Test func `what a caller asked for and did not get stands in the notices`() async throws {
        let engine = try await engine(ScriptedRunner("a"))
        let request = InferenceRequest(.chat, prompt: "x", configuration: InferenceConfig(topK: 3))
        let result = try await engine.run(request)
        #expect(result.notices == ["The parameter topK was refused: a has no such parameter."])
    }

    @Test func `a named runner without the capability is told by name`() async throws {
        let engine = try await engine(ScriptedRunner("a"), ScriptedRunner("b", [.embedding]))
        let error = await #expect(throws: BreezeError.self) {
            try await engine.run(InferenceRequest(.embedding, prompt: "x", runnerID: "a"))
        }
        #expect(error?.message == "a cannot do embedding.")
        #expect(error?.remedy == "Able to: b.")
    }

    @Test func `a setting that names nobody is told with the answer`() async throws {
        let engine = Engine(settings: ScriptedSettings(["routing.preferred.chat=lama", "runners.llama.x=1"]))
        try await engine.register(ScriptedRunner("llama:m", [.embedding]))
        try await engine.register(ScriptedRunner("b", onRun: { _, _ in "hi" }))
        let result = try await engine.run(InferenceRequest(.chat, prompt: "x"))
        #expect(
            result.notices == [
                "The setting routing.preferred.chat names lama, and there is no such runner or model."
                    + " Did you mean llama?"
            ]
        )
    }
}
