import ArgumentParser
import BreezeCore
import BreezeEngine

struct MetricsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Print the engine's figures in the text format of Prometheus.",
        discussion: """
            The figures are those of the engine within this process. It has just begun, so its counters stand \
            at nothing; what it holds of memory and time, and what it knows of runners, is real.

            Examples:
              breeze metrics
              breeze metrics --json
            """
    )

    @OptionGroup var options: EngineOptions

    func run() async throws {
        let metrics = try await Composition(options).engine.metrics()
        if options.json { return try JSONText.print(metrics) }
        try Console.write(metrics.prometheus())
        Console.printError(
            "note: the figures of this one process, which has just begun and answered nothing."
        )
    }
}
