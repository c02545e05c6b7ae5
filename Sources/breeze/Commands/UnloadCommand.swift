import ArgumentParser
import BreezeCore
import BreezeEngine

struct UnloadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unload",
        abstract: "Give a runner's memory back.",
        discussion: """
            A breeze command is a process of its own: it loads what its request needs, and all of that is given \
            back when it ends. So there is nothing to unload between two commands, and nothing in one \
            command that another could unload.

            Example:
              breeze unload encoder:minilm
            """
    )

    @OptionGroup var options: EngineOptions
    @Argument(help: "The runner's id.") var id: String

    private struct Report: Encodable {
        let runner: String
        let wasLoaded: Bool
        let note: String?
    }

    func run() async throws {
        let engine = try await Composition(options).engine
        let runner = try RunnersCommand.find(id, in: await engine.runners())
        try await engine.unload(id)
        let note =
            runner.isLoaded
            ? nil
            : "\(id) is not loaded in this process, and there is no other that it could reach: each breeze "
                + "command loads what it needs and gives it back when it ends."
        if options.json {
            return try JSONText.print(Report(runner: id, wasLoaded: runner.isLoaded, note: note))
        }
        try Console.print(note ?? "\(id) is unloaded.")
    }
}
