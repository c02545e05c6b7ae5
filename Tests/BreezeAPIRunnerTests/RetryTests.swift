import BreezeCore
import BreezeTestSupport
import BreezeTransport
import Foundation
import Testing

@testable import BreezeAPIRunner

@Suite struct RetryTests {
    /// 1994-11-06 08:49:37, the date of RFC 9110's examples.
    private static let example = Date(timeIntervalSince1970: 784_111_777)
    private static let good = ScriptedTransport.stream([Array(Recordings.piece("ja", finish: "stop").utf8)])
    private static let full = #"{"error":{"code":429,"message":"Rate limit exceeded"}}"#

    /// No jitter, and a clock that stands seven seconds before the example.
    private func policy(attempts: Int = 3) -> RetryPolicy {
        RetryPolicy(attempts: attempts, random: { 0 }, now: { Self.example.addingTimeInterval(-7) })
    }

    private func ask(_ steps: [ScriptedTransport.Step], _ policy: RetryPolicy) async throws -> (
        result: Result<InferenceResult, any Error>, sleeps: [Duration], requests: Int
    ) {
        let (clock, transport) = (InstantClock(), ScriptedTransport(steps))
        let runner = try Bench.runner(transport, retry: policy, clock: clock)
        var result: Result<InferenceResult, any Error>
        do { result = .success(try await Bench.collect(runner).result) } catch { result = .failure(error) }
        return (result, clock.sleeps, transport.requests.count)
    }

    private func error(_ result: Result<InferenceResult, any Error>) -> BreezeError? {
        if case .failure(let error) = result { error as? BreezeError } else { nil }
    }

    @Test(
        arguments: [
            (429, ["Retry-After": "3"], Duration.seconds(3)), (503, ["Retry-After": "2.5"], .seconds(2.5)),
            (429, ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"], .seconds(7)),
            (503, ["Retry-After": "Sunday, 06-Nov-94 08:49:37 GMT"], .seconds(7)),
            (429, ["Retry-After": "Sun Nov  6 08:49:37 1994"], .seconds(7)),
            (429, ["Retry-After": "Sun, 06 Nov 1994 08:49:00 GMT"], .zero),
            (429, ["Retry-After-Ms": "250"], .milliseconds(250)), (429, [:], .milliseconds(500)),
            (429, ["Retry-After": "soon"], .milliseconds(500)),
            (429, ["Retry-After": "-1"], .milliseconds(500)),
        ]
    )
    func `a request that was turned away is sent again when the service says`(
        status: Int,
        headers: [String: String],
        wait: Duration
    ) async throws {
        let fields = HeaderFields(headers.map { ($0.key, $0.value) })
        let no = ScriptedTransport.step(Self.full, status: status, headers: fields)
        let (result, sleeps, requests) = try await ask([no, Self.good], policy())
        #expect(try result.get().output == .text("ja"))
        #expect(sleeps.first == wait)
        #expect(requests == 2)
    }

    @Test func `waits double, are shortened at random, and end`() async throws {
        let no = ScriptedTransport.step(Self.full, status: 429)
        let (result, sleeps, requests) = try await ask([no], policy(attempts: 4))
        #expect(error(result)?.code.rawValue == "rate_limited")
        #expect(sleeps == [.milliseconds(500), .seconds(1), .seconds(2)])
        #expect(requests == 4)
        let jittered = RetryPolicy(attempts: 9, random: { 0.5 })
        #expect(jittered.wait(after: 1, asked: nil) == .milliseconds(375))
        // 0.5 · 2⁷ = 64 s is beyond the longest wait, 20 s, of which three quarters are left.
        #expect(jittered.wait(after: 8, asked: nil) == .seconds(15))
        #expect(jittered.wait(after: 9, asked: nil) == nil)
    }

    @Test func `a wait that is too long is the caller's to decide`() async throws {
        let no = ScriptedTransport.step(Self.full, status: 429, headers: ["Retry-After": "3600"])
        let (result, sleeps, requests) = try await ask([no, Self.good], policy())
        #expect(error(result)?.retryAfter == .seconds(3_600))
        #expect(sleeps == [])
        #expect(requests == 1)
    }

    @Test(
        arguments: [
            (500, [:], "{}"), (502, ["Retry-After": "1"], "{}"), (503, [:], "{}"),
            (408, ["Retry-After": "1"], "{}"),
            (400, [:], "{}"), (401, [:], "{}"), (402, ["Retry-After": "1"], "{}"),
            (429, ["X-Should-Retry": "false"], "{}"),
            (429, [:], #"{"error":{"code":"insufficient_quota","type":"insufficient_quota","message":"x"}}"#),
        ]
    )
    func `what may have run, or will not be better, is sent once`(
        status: Int,
        headers: [String: String],
        body: String
    ) async throws {
        let fields = HeaderFields(headers.map { ($0.key, $0.value) })
        let no = ScriptedTransport.step(body, status: status, headers: fields)
        let (result, sleeps, requests) = try await ask([no, Self.good], policy())
        #expect(error(result) != nil)
        #expect(sleeps == [])
        #expect(requests == 1)
    }

    private struct Refused: Error {}

    @Test func `a connection that never came about is tried again`() async throws {
        let refused = BreezeError(
            .resourceUnavailable,
            "refused",
            underlying: NeverSent(underlying: Refused())
        )
        let (result, sleeps, requests) = try await ask([{ _ in throw refused }, Self.good], policy())
        #expect(try result.get().output == .text("ja"))
        #expect(sleeps.first == .milliseconds(500))
        #expect(requests == 2)
    }

    @Test(arguments: [BreezeError.Code.timeout, .resourceUnavailable])
    func `a failure after sending is not`(code: BreezeError.Code) async throws {
        let (result, _, requests) = try await ask(
            [{ _ in throw BreezeError(code, "x") }, Self.good],
            policy()
        )
        #expect(error(result)?.code == code)
        #expect(requests == 1)
    }

    @Test func `nothing is sent again behind the first byte`() async throws {
        let broken = BreezeError(.resourceUnavailable, "x", underlying: NeverSent(underlying: Refused()))
        let step = ScriptedTransport.stream([Array(Recordings.piece("a").utf8)], breaksWith: broken)
        let late = ScriptedTransport.stream([Array("data: \(Self.full)\n\n".utf8)])
        for step in [step, late] {
            let (result, _, requests) = try await ask([step, Self.good], policy())
            #expect(error(result) != nil)
            #expect(requests == 1)
        }
    }

    @Test func `a cancellation ends the waiting`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport([ScriptedTransport.step(Self.full, status: 429)])
        let runner = try Bench.runner(transport, retry: policy(), clock: clock)
        let work = Task { try await Bench.collect(runner) }
        await clock.sleeper(within: .seconds(1))
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(transport.requests.count == 1)
    }

    @Test func `the request's own timeout ends the waiting, too`() async throws {
        let clock = ManualClock()
        let transport = ScriptedTransport([
            ScriptedTransport.step(Self.full, status: 429, headers: ["Retry-After": "10"])
        ])
        let runner = try Bench.runner(transport, retry: policy(), clock: clock)
        let request = InferenceRequest(.chat, prompt: "hello", configuration: InferenceConfig(timeout: 5))
        let work = Task { try await Bench.collect(runner, request) }
        await clock.sleeper(within: .seconds(5))
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: BreezeError.self) { try await work.value }
        #expect(error?.code == .timeout)
    }
}
