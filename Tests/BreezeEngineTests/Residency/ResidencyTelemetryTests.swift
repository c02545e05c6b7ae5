import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Testing

@Suite struct ResidencyTelemetryTests {
    private func runner(_ id: String) -> ScriptedRunner { ScriptedRunner(id, memoryEstimate: 30 * mebibyte) }

    @Test func `an eviction is told with its cause, and the unload that follows`() async throws {
        let bench = try await Bench(["residency.budget=40MiB"], runners: runner("a"), runner("b"))
        var recorded = RecordedEvents(bench.engine)
        _ = try await bench.run("a")
        try await bench.engine.load("b")
        let events = await recorded.until { $0.kind == .loaded && $0.runner == "b" }
        let ends = events.filter { [.evicted, .unloaded].contains($0.kind) }
        #expect(ends.words == ["evicted a", "unloaded a"])
        #expect(ends.map(\.reason) == ["budget", "evicted"])
        #expect(ends.map(\.bytes) == [30 * mebibyte, 30 * mebibyte])
    }

    @Test func `pressure evicts, the end of a keep-alive does not`() async throws {
        let bench = try await Bench(["residency.keepAlive=10"], runners: runner("a"))
        var recorded = RecordedEvents(bench.engine)
        _ = try await bench.run("a")
        bench.pressure.become(.critical)
        #expect(await recorded.until(.unloaded).suffix(2).map(\.reason) == ["pressure", "evicted"])
        bench.pressure.become(.normal)
        await bench.reach(.pressure(.normal))
        _ = try await bench.run("a")
        await bench.clock.sleeper(within: .seconds(10))
        bench.clock.advance(by: .seconds(10))
        let events = await recorded.until(.unloaded)
        #expect(events.last?.reason == "idle")
        #expect(!events.contains { $0.kind == .evicted })
    }
}
