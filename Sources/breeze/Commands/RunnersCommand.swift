import ArgumentParser
import BreezeCore
import BreezeEngine

struct RunnersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "runners",
        abstract: "List the runners, what each can do, and the parameters it takes.",
        discussion: """
            Examples:
              breeze runners
              breeze runners mock:llm            one runner with its parameters
              breeze runners --json
              breeze runners --watch             a table that follows what changes, until Ctrl-C
            """
    )

    @OptionGroup var options: EngineOptions

    @Argument(help: "Only this one, with its parameters.")
    var id: String?

    @Flag(help: "Go on showing what changes: a table on a terminal, else a line of JSON a change.")
    var watch = false

    private struct Report: Encodable {
        let runners: [RunnerStatus]
    }

    func run() async throws {
        let composition = try await Composition(options)
        if watch { return try await RunnersWatch(composition, id: id, json: options.json).run() }
        let all = await composition.engine.runners()
        let runners = try id.map { try [Self.find($0, in: all)] } ?? all
        if options.json { return try JSONText.print(Report(runners: runners)) }
        if id != nil, let runner = runners.first { return try Self.describe(runner) }
        guard !runners.isEmpty else { return try Console.print("There are no runners.") }
        var table = Table("RUNNER", "CAN DO", "WHERE", "MEMORY", "CONTEXT", "STATE")
        for runner in runners {
            table.add(
                runner.id,
                runner.capabilities.map(\.rawValue).joined(separator: ", "),
                runner.locality == .onDevice ? "on device" : "network",
                runner.memoryEstimate.map { $0 > 0 ? Quantity.bytes($0) : "" } ?? "",
                runner.contextLength.map { "\($0)" } ?? "",
                Self.state(runner)
            )
        }
        try table.print()
        for case (let runner, .unavailable(let reason, let remedy)) in runners.map({ ($0, $0.availability) })
        {
            try Console.print("\n\(runner.id): \(reason)")
            if let remedy { try Console.print("  \(remedy)") }
        }
    }

    static func find(_ id: String, in all: [RunnerStatus]) throws -> RunnerStatus {
        if let found = all.first(where: { $0.id == id }) { return found }
        throw BreezeError(
            .unknownRunner,
            "There is no runner \(id).",
            remedy: nearestName(to: id, in: all.map(\.id)).map { "Did you mean \($0)?" }
                ?? "List them: breeze runners"
        )
    }

    private static func state(_ runner: RunnerStatus) -> String {
        if case .unavailable = runner.availability { return "unavailable" }
        if runner.isMock { return "mock, only with --mock or by name" }
        return runner.isLoaded ? "loaded" : "ready"
    }

    private static func describe(_ runner: RunnerStatus) throws {
        let style = Style.output
        try Console.print(style.bold(runner.id))
        try Console.print("  can do      \(runner.capabilities.map(\.rawValue).joined(separator: ", "))")
        try Console.print("  where       \(runner.locality == .onDevice ? "on device" : "network")")
        try Console.print("  state       \(state(runner))")
        if let model = runner.model { try Console.print("  model       \(model)") }
        if let memory = runner.memoryEstimate { try Console.print("  memory      \(Quantity.bytes(memory))") }
        if let context = runner.contextLength { try Console.print("  context     \(context) tokens") }
        guard !runner.parameters.parameters.isEmpty else { return }
        try Console.print("  parameters")
        for parameter in runner.parameters.parameters {
            let value = parameter.isSensitive ? nil : parameter.defaultValue?.text
            try Console.print(
                "    \(style.accent(parameter.name))  \(parameter.kind.words)"
                    + (value.map { ", \($0) unless set" } ?? "")
            )
            try Console.print(style.dim("        \(parameter.summary)"))
        }
    }
}
