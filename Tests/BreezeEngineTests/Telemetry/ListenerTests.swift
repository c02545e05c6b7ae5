import BreezeCore
import BreezeTestSupport
import Testing

@testable import BreezeEngine

@Suite struct ListenerTests {
    private func answer(_ count: Int, from engine: Engine) async throws {
        for index in 0..<count {
            _ = try await engine.run(InferenceRequest(.chat, prompt: "x", id: "\(index)"))
        }
    }

    /// Three events a request once the runner is loaded: routed, started, finished.
    private func warmEngine() async throws -> Engine {
        let engine = Engine(clock: ManualClock())
        try await engine.register(ScriptedRunner("a"))
        try await answer(1, from: engine)
        return engine
    }

    @Test func `a listener that does not read holds nobody back and loses its oldest events`() async throws {
        let engine = try await warmEngine()
        let slow = engine.events(buffering: 4)
        var quick = RecordedEvents(engine)
        try await answer(10, from: engine)
        let all = await quick.until { $0.kind == .finished && $0.requestID == "9" }
        #expect(all.map(\.number) == Array(1...30))
        var kept: [Int] = []
        for await event in slow {
            kept.append(event.number)
            if kept.count == 4 { break }
        }
        #expect(kept == [27, 28, 29, 30])
        #expect(await engine.metrics()["breeze_events_dropped_total"]?.value() == 26)
    }

    @Test func `listeners that have gone are forgotten`() async throws {
        let engine = try await warmEngine()
        do {
            let first = engine.events()
            let second = engine.events()
            #expect(await engine.metrics()["breeze_event_listeners"]?.value() == 2)
            _ = (first, second)
        }
        let task = Task { for await _ in engine.events() {} }
        task.cancel()
        await task.value
        #expect(engine.telemetry.outlet.subscribers == 0)
        try await answer(1, from: engine)
        // Nobody listened, so no event was made.
        var late = RecordedEvents(engine)
        try await answer(1, from: engine)
        #expect(await late.until(.routed).map(\.number) == [1])
    }

    @Test func `each listener hears everything from the moment it came`() async throws {
        let engine = try await warmEngine()
        var early = RecordedEvents(engine)
        try await answer(1, from: engine)
        var late = RecordedEvents(engine)
        try await answer(1, from: engine)
        let heard = await early.until { $0.number == 6 }
        #expect(heard.map(\.number) == Array(1...6))
        #expect(await late.until(.finished) == Array(heard.suffix(3)))
    }

    @Test func `the stream ends with its engine`() async throws {
        var engine: Engine? = try await warmEngine()
        let events = try #require(engine?.events())
        engine = nil
        for await _ in events {}
    }
}
