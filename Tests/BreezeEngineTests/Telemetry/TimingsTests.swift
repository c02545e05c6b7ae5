import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Foundation
import Testing

@Suite struct TimingsTests {
    private let clock = ManualClock()

    /// A runner that waits for `prefill`, then sends `pieces` with `step` between two of them.
    private func result(
        pieces: Int,
        tokens: Int,
        prefill: Duration,
        step: Duration,
        load: Duration = .zero
    ) async throws -> Timings {
        let clock = clock
        let engine = Engine(clock: clock)
        try await engine.register(
            PacedRunner(tokens: tokens, onLoad: { clock.advance(by: load) }) { request, sink in
                clock.advance(by: prefill)
                for index in 0..<pieces {
                    if index > 0 { clock.advance(by: step) }
                    try await sink.send(InferenceChunk(requestID: request.id, .text("t")))
                }
            }
        )
        return try await engine.run(InferenceRequest(.chat, prompt: "x")).timings
    }

    /// 11 tokens, 0.05 s a step: 10 tokens after the first in 0.5 s are 20 a second. Over the whole request,
    /// with 4 s of load and 2 s of prefill in it, it would read 11 / 6.5 s = 1.7.
    @Test func `the pace counts the tokens after the first, without load and prefill`() async throws {
        let timings = try await result(
            pieces: 11,
            tokens: 11,
            prefill: .seconds(2),
            step: .milliseconds(50),
            load: .seconds(4)
        )
        #expect(timings.load == 4)
        #expect(timings.prefill == 2)
        #expect(timings.firstChunk == 2)
        #expect(timings.decode == 0.5)
        #expect(timings.tokensPerSecond == 20)
        #expect(timings.run == 2.5)
        #expect(timings.total == 6.5)
    }

    /// 3 pieces of 4 tokens each, 1 s between them: 11 tokens after the first in 2 s.
    @Test func `a piece may hold several tokens`() async throws {
        let timings = try await result(pieces: 3, tokens: 12, prefill: .seconds(1), step: .seconds(1))
        #expect(timings.tokensPerSecond == 5.5)
    }

    @Test(arguments: [
        // One piece does not tell when reading ended: 99 tokens in no time would be a made-up pace.
        (pieces: 1, tokens: 100), (0, 100),
        // A vector, a verdict: nothing was generated.
        (3, 0),
    ])
    func `there is no pace where nothing was generated piece by piece`(pieces: Int, tokens: Int) async throws
    {
        let timings = try await result(
            pieces: pieces,
            tokens: tokens,
            prefill: .seconds(1),
            step: .seconds(1)
        )
        #expect(timings.prefill == nil)
        #expect(timings.decode == nil)
        #expect(timings.tokensPerSecond == nil)
    }

    @Test func `one token has no pace, and neither have tokens that took no time`() async throws {
        let one = try await result(pieces: 2, tokens: 1, prefill: .seconds(1), step: .seconds(1))
        #expect(one.decode == 1)
        #expect(one.tokensPerSecond == nil)
        let sudden = try await result(pieces: 2, tokens: 2, prefill: .seconds(1), step: .zero)
        #expect(sudden.decode == 0)
        #expect(sudden.tokensPerSecond == nil)
    }

    /// 10 tokens after the first in the 2 s that the runner itself measured, though the reader took longer.
    @Test func `what the runner measured itself counts`() async throws {
        let clock = clock
        let engine = Engine(clock: clock)
        let own = Timings(prefill: 0.5, decode: 2)
        try await engine.register(
            PacedRunner(tokens: 11, timings: own) { request, sink in
                for _ in 0..<11 {
                    clock.advance(by: .seconds(7))
                    try await sink.send(InferenceChunk(requestID: request.id, .text("t")))
                }
            }
        )
        let timings = try await engine.run(InferenceRequest(.chat, prompt: "x")).timings
        #expect(timings.prefill == 0.5)
        #expect(timings.decode == 2)
        #expect(timings.tokensPerSecond == 5)
        #expect(timings.run == 77)
    }

    @Test func `timings written before there was a pace are still read`() throws {
        let old = Data(#"{"queue":1,"load":2,"firstChunk":3,"run":4,"total":5}"#.utf8)
        let timings = try JSONDecoder().decode(Timings.self, from: old)
        #expect(timings == Timings(queue: 1, load: 2, firstChunk: 3, run: 4, total: 5))
    }
}

/// Says how many tokens its answer has, and sends it at a pace of the test's.
private struct PacedRunner: StreamingRunner {
    let id = "paced"
    let supportedCapabilities = [AICapability.chat]
    let tokens: Int
    var timings = Timings()
    var onLoad: @Sendable () -> Void = {}
    let onRun: @Sendable (InferenceRequest, ChunkSink) async throws -> Void

    func load() async throws { onLoad() }
    func unload() async {}

    func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        try await onRun(request, sink)
        return InferenceResult(
            requestID: request.id,
            output: .text("t"),
            runner: id,
            usage: Usage(outputTokens: tokens),
            timings: timings
        )
    }
}
