#if Hub
import BreezeAccess
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

/// What a request costs, printed and held against nothing: `BREEZE_MEASURE=1 swift test --filter Throughput`.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["BREEZE_MEASURE"] == "1",
        "it measures, for a quiet machine: BREEZE_MEASURE=1"
    )
)
struct ThroughputMeasurement {
    @Test func `authorise, settle and write, for each second of CPU`() async throws {
        let fixture = try Fixture()
        let key = try await fixture.app(quota: Quota(requests: 1_000_000, tokens: 1 << 40)).key
        let (rounds, batch) = (40, 1_250)
        let began = clock()
        var inMemory = clock_t(0)
        for _ in 0..<rounds {
            let start = clock()
            for number in 0..<batch {
                let grant = try fixture.access.ask(key, request: "req-\(number)", expecting: 64)
                grant.settle(
                    RequestOutcome(
                        "stop",
                        model: "mock-llm",
                        runner: "mock:mock-llm",
                        locality: .onDevice,
                        usage: Usage(inputTokens: 20, outputTokens: 40),
                        bytesIn: 300,
                        bytesOut: 900,
                        timings: Timings(run: 0.001, total: 0.001)
                    )
                )
            }
            inMemory += clock() - start
            try await fixture.access.flush()
        }
        let requests = Double(rounds * batch)
        let perSecond = Double(CLOCKS_PER_SEC)
        let (all, memory) = (Double(clock() - began) / perSecond, Double(inMemory) / perSecond)
        print(
            "in memory: \(Int(requests / memory)) a CPU second; written too: \(Int(requests / all)) a CPU second"
        )
        #expect(try await fixture.access.audit(limit: 1).entries.count == 1)
    }
}
#endif
