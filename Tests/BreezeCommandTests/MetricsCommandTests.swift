import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Metrics from the command line` {
    @Test func `the text names every runner, and says whose figures they are`() async throws {
        let outcome = try await Program().run("metrics")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("# TYPE breeze_requests_total counter\n"))
        #expect(outcome.output.contains("\nbreeze_runner_loaded{runner=\"mock:llm\"} 0\n"))
        #expect(outcome.errors.contains("this one process"))
    }

    @Test func `JSON holds the process' own figures, and they are plausible`() async throws {
        let families = try #require(
            try await Program().run("metrics", "--json").json()["families"] as? [[String: Any]]
        )
        func value(_ name: String) -> Double? {
            let family = families.first { $0["name"] as? String == name }
            return (family?["samples"] as? [[String: Any]])?.first?["value"] as? Double
        }
        let seconds = try #require(value("process_cpu_seconds_total"))
        let bytes = try #require(value("process_resident_memory_bytes"))
        // A Swift program with Foundation takes some megabytes and some milliseconds before it says a word.
        #expect(seconds > 0.001 && seconds < 60)
        #expect(bytes > 4e6 && bytes < 4e9)
    }
}
