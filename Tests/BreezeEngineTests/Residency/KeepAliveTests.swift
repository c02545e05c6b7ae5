import BreezeCore
import BreezeTestSupport
import Testing

@testable import BreezeEngine

@Suite struct KeepAliveTests {
    private func runner(_ id: String) -> ScriptedRunner { ScriptedRunner(id, memoryEstimate: 10 * mebibyte) }

    @Test func `an idle model goes when its keep-alive is over, and not before`() async throws {
        let a = runner("a")
        let bench = try await Bench(["residency.keepAlive=300"], runners: a)
        _ = try await bench.run("a")
        await bench.clock.sleeper(within: .seconds(300))
        bench.clock.advance(by: .seconds(299))
        await settle()
        #expect(a.counts.unloads == 0)
        #expect(await bench.engine.residency().entries.first?.residency.expiresIn == 1)
        bench.clock.advance(by: .seconds(1))
        await bench.reach(.unloaded("a"))
        #expect(a.counts.unloads == 1)
        #expect(await bench.engine.residency().evictions.expired == 1)
    }

    @Test func `each use begins the keep-alive anew, with one timer for all`() async throws {
        let (a, b) = (runner("a"), runner("b"))
        let bench = try await Bench(["residency.keepAlive=100"], runners: a, b)
        _ = try await bench.run("a")
        await bench.clock.sleeper(within: .seconds(100))
        bench.clock.advance(by: .seconds(60))
        _ = try await bench.run("b")
        _ = try await bench.run("a")
        bench.clock.advance(by: .seconds(99))
        await settle()
        #expect(a.counts.unloads == 0 && b.counts.unloads == 0)
        #expect(bench.clock.sleeping == 1)
        bench.clock.advance(by: .seconds(1))
        await bench.reach(.evicted("a", .expired))
        await bench.reach(.evicted("b", .expired))
    }

    @Test(arguments: [0, 30] as [Double])
    func `the request's own keep-alive outranks the setting`(seconds: Double) async throws {
        let a = runner("a")
        let bench = try await Bench(["residency.keepAlive=-1"], runners: a)
        _ = try await bench.run("a")
        await settle()
        #expect(bench.clock.sleeping == 0)
        _ = try await bench.run("a", keepAlive: seconds)
        await bench.clock.sleeper(within: max(Residency.grace, .seconds(seconds)))
        bench.clock.advance(by: max(Residency.grace, .seconds(seconds)))
        await bench.reach(.unloaded("a"))
    }

    @Test(arguments: [
        (3_600.0, "60", 60.0), (-1, "60", 60), (30, "60", 30), (3_600, "-1", 3_600),
    ])
    func `a request gets no longer one than the setting allows, and is told so`(
        asked: Double,
        maximum: String,
        expected: Double
    ) async throws {
        let bench = try await Bench(["residency.maximumKeepAlive=\(maximum)"], runners: runner("a"))
        let result = try await bench.run("a", keepAlive: asked)
        #expect(await bench.engine.residency().entries.first?.residency.expiresIn == expected)
        #expect(result.notices.isEmpty == (asked == expected))
    }

    @Test func `a runner's own setting outranks the one for all`() async throws {
        let flags = ["residency.keepAlive=300", "runners.a.keepAlive=20"]
        let bench = try await Bench(flags, runners: runner("a"), runner("b"))
        for id in ["a", "b"] { _ = try await bench.run(id) }
        let entries = await bench.engine.residency().entries
        #expect(entries.map(\.residency.expiresIn) == [20, 300])
    }

    @Test func `a clock that jumps ahead unloads once, one that jumps back breaks nothing`() async throws {
        let a = runner("a")
        let bench = try await Bench(["residency.keepAlive=10"], runners: a)
        _ = try await bench.run("a")
        await bench.clock.sleeper(within: .seconds(10))
        bench.clock.advance(by: .seconds(1_000_000_000))
        await bench.reach(.unloaded("a"))
        #expect(a.counts.unloads == 1)
        bench.clock.advance(by: .seconds(-2_000_000_000))
        _ = try await bench.run("a")
        await bench.clock.sleeper(within: .seconds(10))
        bench.clock.advance(by: .seconds(-500))
        await settle()
        #expect(a.counts.unloads == 1)
        bench.clock.advance(by: .seconds(510))
        await bench.reach(.unloaded("a"))
        #expect(a.counts.unloads == 2)
    }

    @Test func `a pinned one outlives its keep-alive`() async throws {
        let a = runner("a")
        let bench = try await Bench(["residency.keepAlive=10"], runners: a)
        try await bench.engine.pin("a")
        _ = try await bench.run("a")
        await bench.clock.sleeper(within: .seconds(10))
        bench.clock.advance(by: .seconds(10))
        await settle()
        #expect(a.counts.unloads == 0)
        try await bench.engine.unpin("a")
        await bench.clock.sleeper(within: .seconds(10))
        bench.clock.advance(by: .seconds(10))
        await bench.reach(.unloaded("a"))
    }

    @Test func `a running one is not unloaded, however long it runs`() async throws {
        let gate = Gate()
        let a = ScriptedRunner(
            "a",
            memoryEstimate: mebibyte,
            onRun: { _, _ in
                await gate.pass()
                return ""
            }
        )
        let bench = try await Bench(["residency.keepAlive=10"], runners: a)
        let running = Task { try await bench.run("a") }
        await bench.reach(.loaded("a"))
        await settle()
        bench.clock.advance(by: .seconds(3_600))
        await settle()
        #expect(a.counts.unloads == 0)
        gate.open()
        _ = try await running.value
        await bench.clock.sleeper(within: .seconds(10))
        bench.clock.advance(by: .seconds(10))
        await bench.reach(.unloaded("a"))
    }

    @Test func `an engine that goes takes its timer and its listener along`() async throws {
        let clock = ManualClock()
        let pressure = ScriptedPressure()
        var engine: Engine? = Engine(clock: clock, residency: ResidencyOptions(pressure: pressure))
        try await engine?.register(runner("a"))
        #expect(pressure.listeners == 0)
        try await engine?.load("a")
        await clock.sleeper(within: .seconds(600))
        #expect(pressure.listeners == 1)
        engine = nil
        while clock.sleeping > 0 || pressure.ended == 0 { await Task.yield() }
    }
}
