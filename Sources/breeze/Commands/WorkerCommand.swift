import ArgumentParser
import BreezeWorker

/// What a worker process runs: Breeze starts it itself and speaks to it over its standard input and output.
struct WorkerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Host one runner for the program that started this one.",
        discussion: """
            Breeze starts it by itself, so that a runner that crashes takes nobody along.

            Example:
              breeze worker < frames
            """,
        shouldDisplay: false
    )

    func run() async throws {
        await WorkerHost.serve(WorkerKinds.registry, version: BreezeVersion.current)
    }
}
