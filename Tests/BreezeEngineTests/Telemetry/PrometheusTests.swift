import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeEngine

@Suite struct PrometheusTests {
    /// By hand, from https://prometheus.io/docs/instrumenting/exposition_formats/
    @Test func `a counter, a gauge and a histogram are written as the format says`() {
        let metrics = EngineMetrics(families: [
            .init(
                name: "requests_total",
                help: "A \\ and a\nline.",
                kind: .counter,
                samples: [
                    .init(labels: ["runner": "a\"b\\c\nd", "code": "x"], value: 3, distribution: nil),
                    .init(labels: [:], value: 0.25, distribution: nil),
                ]
            ),
            .init(name: "empty", help: "None.", kind: .gauge, samples: []),
            .init(
                name: "run_seconds",
                help: "Times.",
                kind: .histogram,
                samples: [
                    .init(
                        labels: ["runner": "a"],
                        value: nil,
                        distribution: .init(
                            buckets: [.init(upTo: 0.001, count: 1), .init(upTo: 1, count: 3)],
                            count: 4,
                            sum: 12.5
                        )
                    )
                ]
            ),
        ])
        let expected = #"""
            # HELP requests_total A \\ and a\nline.
            # TYPE requests_total counter
            requests_total{code="x",runner="a\"b\\c\nd"} 3
            requests_total 0.25
            # HELP empty None.
            # TYPE empty gauge
            # HELP run_seconds Times.
            # TYPE run_seconds histogram
            run_seconds_bucket{le="0.001",runner="a"} 1
            run_seconds_bucket{le="1",runner="a"} 3
            run_seconds_bucket{le="+Inf",runner="a"} 4
            run_seconds_sum{runner="a"} 12.5
            run_seconds_count{runner="a"} 4

            """#
        #expect(metrics.prometheus() == expected)
    }

    private struct Family: Decodable {
        struct Sample: Decodable {
            let name: String
            let labels: [String: String]
            let value: Double
        }
        let name: String
        let type: String
        let help: String
        let samples: [Sample]
    }

    /// Set-up installs it beside the other test tools.
    private static func hasClient() async throws -> Bool {
        guard let python = Oracle.python else { return false }
        return try await ChildProcess(python, ["-c", "import prometheus_client"]).run().code == 0
    }

    /// Names that would end a line, a label or a number of a careless text.
    private static let names = [
        "plain", "quo\"te", "back\\slash", "line\nfeed", "carriage\r\nreturn", "brace}{=,", "ümläut 🜂",
        "le=\"1\"",
        "trailing\\", "",
    ]

    @Test(.enabled("make setup installs Prometheus' Python client") { try await hasClient() })
    func `Prometheus' own client reads the same figures`() async throws {
        let clock = ManualClock()
        let engine = Engine(clock: clock)
        for name in Self.names {
            let runner = ScriptedRunner(
                name,
                onLoad: { clock.advance(by: .milliseconds(1_234)) },
                onRun: { request, sink in
                    clock.advance(by: .milliseconds(70))
                    try await sink.send(InferenceChunk(requestID: request.id, .text("t")))
                    return "t"
                }
            )
            try await engine.register(runner)
            for _ in 0..<3 { _ = try await engine.run(InferenceRequest(.chat, prompt: "x", runnerID: name)) }
        }
        let folder = try ScratchFolder()
        let metrics = await engine.metrics()
        let file = try folder.write("metrics.txt", Array(metrics.prometheus().utf8))
        let families: [Family] = try await Oracle.run("prometheus_oracle.py", file, input: [String]())
        // The client calls a counter by its name without the suffix.
        #expect(
            families.map { $0.type == "counter" ? "\($0.name)_total" : $0.name }
                == metrics.families.map(\.name)
        )
        #expect(families.map(\.type) == metrics.families.map(\.kind.rawValue))
        #expect(families.map(\.help) == metrics.families.map(\.help))
        let requests = try #require(families.first { $0.name == "breeze_requests" })
        let counts = Dictionary(
            requests.samples.map { ($0.labels["runner"] ?? "", $0.value) },
            uniquingKeysWith: +
        )
        #expect(counts == Dictionary(uniqueKeysWithValues: Self.names.map { ($0, 3) }))
        let runs = try #require(families.first { $0.name == "breeze_run_seconds" })
        let sums = runs.samples.filter { $0.name.hasSuffix("_sum") }
        #expect(sums.count == Self.names.count)
        for sum in sums { #expect(abs(sum.value - 0.21) < 1e-9) }
    }
}
