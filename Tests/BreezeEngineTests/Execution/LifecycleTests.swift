import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Synchronization
import Testing

/// Loading, unloading, replacing and removing while requests are under way.
@Suite struct LifecycleTests {
    private func request() -> InferenceRequest { InferenceRequest(.chat, prompt: "x") }

    /// Returns when so many have come by.
    private final class Arrivals: Sendable {
        private let stream = AsyncStream.makeStream(of: Void.self)

        func note() { stream.continuation.yield() }

        func wait() async {
            for await _ in stream.stream { return }
        }
    }

    /// A runner whose runs come by and then stand still until the gate opens.
    private func held(_ answer: String = "") -> (runner: ScriptedRunner, gate: Gate, arrivals: Arrivals) {
        let (gate, arrivals) = (Gate(), Arrivals())
        let runner = ScriptedRunner(
            "a",
            onRun: { _, _ in
                arrivals.note()
                await gate.pass()
                return answer
            }
        )
        return (runner, gate, arrivals)
    }

    @Test func `a successor is loaded, also where somebody waited for its predecessor`() async throws {
        let (old, gate, arrivals) = held("old")
        let engine = Engine()
        try await engine.register(old)
        let running = Task { try await engine.run(request()) }
        await arrivals.wait()
        let waiting = Task { try await engine.run(request()) }
        await settle()
        let replacing = Task { await engine.replace(ScriptedRunner("a", onRun: { _, _ in "new" })) }
        await settle()
        gate.open()
        await replacing.value
        #expect(try await running.value.output.text == "old")
        let error = await #expect(throws: BreezeError.self) { try await waiting.value }
        #expect(error?.code == .unavailable)
        #expect(old.counts.loads == 1)
        #expect(old.counts.unloads == 1)
        for _ in 0..<3 { #expect(try await engine.run(request()).output.text == "new") }
    }

    @Test func `unloading waits for the run, and nobody runs beside it`() async throws {
        let (runner, gate, arrivals) = held()
        let engine = Engine()
        try await engine.register(runner)
        let first = Task { try await engine.run(request()) }
        await arrivals.wait()
        let unloading = Task { try await engine.unload("a") }
        let second = Task { try await engine.run(request()) }
        await settle()
        #expect(runner.counts.unloads == 0)
        #expect(runner.counts.runs == 1)
        gate.open()
        _ = try await first.value
        _ = try await second.value
        try await unloading.value
        #expect(runner.counts.mostOverlapping == 1)
        #expect(runner.counts.loads == 1 + runner.counts.unloads)
    }

    @Test func `unloading while loading costs nobody their answer`() async throws {
        for _ in 0..<100 {
            let (gate, arrivals) = (Gate(), Arrivals())
            let runner = ScriptedRunner(
                "a",
                onLoad: {
                    arrivals.note()
                    await gate.pass()
                },
                onRun: { _, _ in "hi" }
            )
            let engine = Engine()
            try await engine.register(runner)
            let running = Task { try await engine.run(request()) }
            await arrivals.wait()
            let unloading = Task { try await engine.unload("a") }
            for _ in 0..<50 { await Task.yield() }
            gate.open()
            #expect(try await running.value.output.text == "hi")
            try await unloading.value
        }
    }

    @Test func `memory that a load is taking is not asked for twice`() async throws {
        let (gate, arrivals) = (Gate(), Arrivals())
        var profile = HardwareDetectors.forThisDevice().detectCapabilities()
        // Of which a tenth stays free.
        profile.memory.total = 200 << 20
        profile.memory.limit = nil
        profile.memory.available = 100 << 20
        let hardware = ScriptedHardwareDetector(profile)
        let runner = ScriptedRunner(
            "a",
            concurrency: 2,
            memoryEstimate: 60 << 20,
            onLoad: {
                arrivals.note()
                await gate.pass()
            }
        )
        let engine = Engine(hardware: hardware)
        try await engine.register(runner)
        let first = Task { try await engine.run(request()) }
        await arrivals.wait()
        profile.memory.available = 40 << 20
        hardware.profile = profile
        #expect(try await engine.explain(request()).chosen == "a")
        gate.open()
        _ = try await first.value
        try await engine.unload("a")
        #expect(try await engine.explain(request()).candidates.first?.exclusion == .insufficientMemory)
    }

    @Test func `a runner that was removed is not loaded again by who waited for it`() async throws {
        let (runner, gate, arrivals) = held()
        let engine = Engine()
        try await engine.register(runner)
        let running = Task { try await engine.run(request()) }
        await arrivals.wait()
        let waiting = Task { try await engine.run(request()) }
        await settle()
        let removing = Task { await engine.remove("a") }
        await settle()
        gate.open()
        #expect(await removing.value)
        _ = try await running.value
        await #expect(throws: BreezeError.self) { try await waiting.value }
        #expect(runner.counts.loads == 1)
        #expect(runner.counts.unloads == 1)
    }

    @Test func `availability that changed while it was asked for is asked again`() async throws {
        let (gate, arrivals) = (Gate(), Arrivals())
        let answers = Mutex([Availability.unavailable(reason: "not yet", remedy: nil), .available])
        let runner = AskedRunner {
            let answer = answers.withLock { $0.removeFirst() }
            if answer != .available {
                arrivals.note()
                await gate.pass()
            }
            return answer
        }
        let engine = Engine()
        try await engine.register(runner)
        let asking = Task { try await engine.explain(request()) }
        await arrivals.wait()
        await engine.refreshAvailability()
        gate.open()
        #expect(try await asking.value.chosen == nil)
        #expect(try await engine.explain(request()).chosen == "asked")
    }

    private struct AskedRunner: Runner {
        let id = "asked"
        let supportedCapabilities: [AICapability] = [.chat]
        let answer: @Sendable () async -> Availability

        init(_ answer: @escaping @Sendable () async -> Availability) { self.answer = answer }

        func availability() async -> Availability { await answer() }
        func load() async throws {}
        func unload() async {}
        func run(request: InferenceRequest) async throws -> InferenceResult {
            InferenceResult(requestID: request.id, output: .text(""), runner: id)
        }
    }
}
