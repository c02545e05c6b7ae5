import BreezeCore
import BreezeTestSupport
import Synchronization
import Testing

@testable import BreezeEngine

@Suite struct CancelStormTests {
    /// Each request ends in one of these ways.
    private enum End: String {
        case answered, cancelled, busy
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `a thousand requests of fifty clients and random cancels leave nothing behind`(
        seed: UInt64
    ) async throws {
        let clock = ManualClock()
        var dice = SeededGenerator(seed: seed)
        let runner = ScriptedRunner(
            "a",
            concurrency: 4,
            onRun: { request, sink in
                for word in 0..<(request.id.utf8.count % 5 + 3) {
                    await Task.yield()
                    try await sink.send(InferenceChunk(requestID: request.id, .text("\(word)")))
                }
                return "whole"
            }
        )
        // Without a keep-alive no timer sleeps once all is over.
        let settings = ScriptedSettings(["scheduling.queueLimit=300", "residency.keepAlive=-1"])
        let engine = Engine(settings: settings, clock: clock)
        try await engine.register(runner)
        let queue = try #require(engine.registry["a"]).gate
        var tasks: [Task<End?, Never>] = []
        for index in 0..<1_000 {
            let request = InferenceRequest(
                .chat,
                prompt: "x",
                id: "\(index)",
                configuration: InferenceConfig(timeout: index.isMultiple(of: 3) ? 3_600 : nil),
                priority: RequestPriority.allCases.randomElement(using: &dice) ?? .normal,
                client: "client \(index % 50)"
            )
            let isStreamed = Bool.random(using: &dice)
            tasks.append(Task { await Self.end(of: request, by: engine, isStreamed: isStreamed) })
            let target = Int.random(in: 0..<tasks.count, using: &dice)
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: tasks[target].cancel()
            case 1: await engine.cancel("\(target)")
            case 2: await Task.yield()
            default: break
            }
        }
        var ends: [End: Int] = [:]
        for (index, task) in tasks.enumerated() {
            let end = try #require(await task.value, "request \(index) ended in another way")
            ends[end, default: 0] += 1
        }
        #expect(ends.values.reduce(0, +) == 1_000)
        #expect(ends[.answered, default: 0] > 0 && ends[.cancelled, default: 0] > 0, "\(ends)")
        await eventually("every task has ended") { engine.running.withLock { $0.isEmpty } }
        #expect(queue.counts == .init())
        #expect(queue.remains == 0)
        #expect(clock.sleeping == 0)
        #expect(runner.counts.overlapping == 0)
        #expect(runner.counts.mostOverlapping <= 4)
        #expect(runner.counts.loads == 1)
    }

    private static func end(of request: InferenceRequest, by engine: Engine, isStreamed: Bool) async -> End? {
        do {
            if isStreamed {
                var last: InferenceChunk?
                for try await chunk in engine.stream(request) { last = chunk }
                return last?.result == nil ? nil : .answered
            }
            return try await engine.run(request).output.text == "whole" ? .answered : nil
        } catch let error as BreezeError {
            return End(rawValue: error.code.rawValue)
        } catch is CancellationError {
            return .cancelled  // what a stream makes of its reader's
        } catch {
            return nil
        }
    }
}
