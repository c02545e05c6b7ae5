import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Synchronization
import Testing

@Suite struct ResidencyTests {
    private func runner(_ id: String, _ size: Int64?, load: Gate? = nil, run: Gate? = nil) -> ScriptedRunner {
        ScriptedRunner(
            id,
            memoryEstimate: size.map { $0 * mebibyte },
            onLoad: { await load?.pass() },
            onRun: { _, _ in
                await run?.pass()
                return id
            }
        )
    }

    @Test func `the least recently used makes room, and comes back when it is asked`() async throws {
        let (a, b, c) = (runner("a", 40), runner("b", 40), runner("c", 40))
        let bench = try await Bench(["residency.budget=100MiB"], runners: a, b, c)
        for id in ["a", "b", "a", "c"] { _ = try await bench.run(id) }
        #expect(b.counts.unloads == 1)
        #expect(a.counts.unloads == 0)
        let table = await bench.engine.residency()
        #expect(table.entries.map(\.runner).sorted() == ["a", "c"])
        #expect(table.used == 80 * mebibyte)
        #expect(table.free == 20 * mebibyte)
        #expect(table.evictions.forOthers == 1)
        _ = try await bench.run("b")
        #expect(b.counts.loads == 2)
        #expect(a.counts.unloads == 1)
    }

    @Test func `a load begins when the unload that makes its room has ended`() async throws {
        let order = Mutex<[String]>([])
        let (leaving, left) = (Gate(), Gate())
        let old = SlowToLeave(id: "old", size: 60 * mebibyte) {
            left.open()
            await leaving.pass()
            order.withLock { $0.append("old gone") }
        }
        let new = ScriptedRunner(
            "new",
            memoryEstimate: 60 * mebibyte,
            onLoad: { order.withLock { $0.append("new loads") } }
        )
        let bench = try await Bench(["residency.budget=100MiB"], runners: new)
        try await bench.engine.register(old)
        try await bench.engine.load("old")
        let loading = Task { try await bench.engine.load("new") }
        await left.pass()
        await settle()
        let status = await bench.engine.runners().first { $0.id == "new" }
        #expect(status?.residency.state == .loading)
        #expect(await bench.engine.runners().first { $0.id == "old" }?.residency.state == .unloading)
        leaving.open()
        try await loading.value
        #expect(order.withLock { $0 } == ["old gone", "new loads"])
    }

    @Test func `two loads at once do not both take the last room`() async throws {
        let gate = Gate()
        let (a, b) = (runner("a", 60, load: gate), runner("b", 60, load: gate))
        let bench = try await Bench(["residency.budget=100MiB"], runners: a, b)
        let outcomes = await withTaskGroup(of: Result<Void, any Error>.self) { group in
            for id in ["a", "b"] {
                group.addTask {
                    do { return .success(try await bench.engine.load(id)) } catch { return .failure(error) }
                }
            }
            await settle()
            #expect(a.counts.loads + b.counts.loads == 1)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        let failures = outcomes.compactMap { outcome -> BreezeError? in
            if case .failure(let error) = outcome { error as? BreezeError } else { nil }
        }
        #expect(failures.map(\.code) == [.insufficientMemory])
        #expect(a.counts.loads + b.counts.loads == 1)
    }

    @Test func `what is pinned or running stays, and the refusal names it`() async throws {
        let gate = Gate()
        let (a, b, c) = (runner("a", 40), runner("b", 40, run: gate), runner("c", 40))
        let bench = try await Bench(["residency.budget=100MiB"], runners: a, b, c)
        try await bench.engine.pin("a")
        _ = try await bench.run("a")
        let running = Task { try await bench.run("b") }
        await bench.reach(.loaded("b"))
        while await bench.engine.residency().entries.last?.residency.running != 1 { await Task.yield() }
        let error = await #expect(throws: BreezeError.self) { try await bench.engine.load("c") }
        #expect(error?.code == .insufficientMemory)
        #expect(
            error?.message == "c needs 40 MiB of memory and 20 MiB are free of 100 MiB;"
                + " could be evicted: nothing; pinned: a with 40 MiB; running: b with 40 MiB."
        )
        #expect(error?.remedy == "Let one go: breeze unpin a")
        #expect(a.counts.unloads == 0 && b.counts.unloads == 0)
        let decision = try await bench.engine.explain(InferenceRequest(.chat, prompt: "x", runnerID: "c"))
        #expect(decision.candidates.first { $0.runner == "c" }?.exclusion == .insufficientMemory)
        try await bench.engine.unpin("a")
        try await bench.engine.load("c")
        #expect(a.counts.unloads == 1)
        gate.open()
        _ = try await running.value
    }

    @Test func `a larger runner that finds no room is followed by a smaller one`() async throws {
        let large = ScriptedRunner("large", memoryEstimate: 200 * mebibyte, qualityTier: 9)
        let small = ScriptedRunner("small", memoryEstimate: 20 * mebibyte, onRun: { _, _ in "hi" })
        let bench = try await Bench(["residency.budget=100MiB"], runners: large, small)
        let result = try await bench.engine.run(InferenceRequest(.chat, prompt: "x"))
        #expect(result.runner == "small")
        #expect(large.counts.loads == 0)
    }

    @Test func `idle ones count as room when a request is routed`() async throws {
        let (a, b) = (runner("a", 80), runner("b", 80))
        let bench = try await Bench(["residency.budget=100MiB"], runners: a, b)
        _ = try await bench.run("a")
        #expect(try await bench.run("b").runner == "b")
        #expect(a.counts.unloads == 1)
    }

    @Test func `a failed load gives its room back`() async throws {
        let broken = ScriptedRunner(
            "broken",
            memoryEstimate: 80 * mebibyte,
            onLoad: { throw BreezeError(.loadFailed, "torn file") }
        )
        let bench = try await Bench(["residency.budget=100MiB"], runners: broken, runner("b", 80))
        await #expect(throws: BreezeError(.loadFailed, "torn file")) { try await bench.engine.load("broken") }
        #expect(await bench.engine.residency().used == 0)
        try await bench.engine.load("b")
    }

    @Test func `a limit that is lowered counts at the next decision`() async throws {
        let (a, b) = (runner("a", 40), runner("b", 40))
        let bench = try await Bench(["residency.budget=100MiB"], runners: a, b)
        try await bench.engine.load("a")
        bench.set(["residency.budget=60MiB"])
        try await bench.engine.load("b")
        #expect(a.counts.unloads == 1)
        bench.set(["residency.budget=30MiB"])
        await #expect(throws: BreezeError.self) { try await bench.engine.load("a") }
        // The device itself, as a control group whose limit was lowered.
        bench.set([])
        bench.hardware.profile = Bench.device(available: 10)
        let error = await #expect(throws: BreezeError.self) { try await bench.engine.load("a") }
        #expect(error?.code == .insufficientMemory)
    }

    @Test func `weights that count as available are not counted twice`() async throws {
        // Mapped from a file, 60 MiB of weights leave the device's 100 MiB as available as before.
        let bench = try await Bench(available: 100, runners: runner("a", 60), runner("b", 60))
        try await bench.engine.load("a")
        #expect(await bench.engine.residency().budget == 100 * mebibyte)
        try await bench.engine.load("b")
        #expect(await bench.loaded == ["b"])
    }

    @Test func `without a set budget the device's free memory decides, less a margin`() async throws {
        let bench = try await Bench(["residency.reserve=30MiB"], available: 100, runners: runner("a", 71))
        await #expect(throws: BreezeError.self) { try await bench.engine.load("a") }
        bench.set(["residency.reserve=29MiB"])
        try await bench.engine.load("a")
    }

    @Test func `priority outlives recency`() async throws {
        let (a, b, c) = (runner("a", 40), runner("b", 40), runner("c", 40))
        let flags = ["residency.budget=100MiB", "residency.priority=a"]
        let bench = try await Bench(flags, runners: a, b, c)
        for id in ["a", "b", "c"] { try await bench.engine.load(id) }
        #expect(a.counts.unloads == 0)
        #expect(b.counts.unloads == 1)
    }

    @Test func `a pin by setting holds, and unpinning says where it stands`() async throws {
        let flags = ["residency.budget=100MiB", "residency.pinned=a"]
        let bench = try await Bench(flags, runners: runner("a", 60), runner("b", 60))
        try await bench.engine.load("a")
        await #expect(throws: BreezeError.self) { try await bench.engine.load("b") }
        let error = await #expect(throws: BreezeError.self) { try await bench.engine.unpin("a") }
        #expect(error?.code == .invalidSetting)
        #expect(await bench.engine.runners().first?.residency.isPinned == true)
    }

    @Test func `requests of fifty clients leave nothing behind but what is loaded`() async throws {
        let runners = (0..<5).map { runner("r\($0)", 30) }
        let bench = try await Bench(["residency.budget=100MiB"])
        for runner in runners { try await bench.engine.register(runner) }
        await withTaskGroup { group in
            for client in 0..<50 {
                group.addTask {
                    for turn in 0..<10 {
                        let id = "r\((client * 7 + turn * 3) % 5)"
                        let work = Task { try await bench.run(id) }
                        if (client + turn) % 4 == 0 { work.cancel() }
                        _ = await work.result
                    }
                }
            }
        }
        await settle()
        let table = await bench.engine.residency()
        #expect(table.used <= 100 * mebibyte)
        #expect(table.entries.allSatisfy { $0.residency.running == 0 && $0.residency.state == .loaded })
        for runner in runners {
            let isLoaded = table.entries.contains { $0.runner == runner.id }
            #expect(runner.counts.loads == runner.counts.unloads + (isLoaded ? 1 : 0))
        }
    }

    private struct SlowToLeave: Runner {
        let id: String
        let supportedCapabilities: [AICapability] = [.chat]
        let memoryEstimate: Int64?
        let leave: @Sendable () async -> Void

        init(id: String, size: Int64, leave: @escaping @Sendable () async -> Void) {
            self.id = id
            memoryEstimate = size
            self.leave = leave
        }

        func load() async throws {}
        func unload() async { await leave() }
        func run(request: InferenceRequest) async throws -> InferenceResult {
            InferenceResult(requestID: request.id, output: .text(""), runner: id)
        }
    }
}
