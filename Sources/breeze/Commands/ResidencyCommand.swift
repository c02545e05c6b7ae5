import ArgumentParser
import BreezeCore
import BreezeEngine

struct ResidencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "residency",
        abstract: "Show the memory budget, and load runners into it to see who stays.",
        discussion: """
            Loads the named runners one after the other and says what was evicted or refused for them. \
            --hold keeps them and says what memory pressure and keep-alive take away again.

            Examples:
              breeze residency
              breeze residency --set residency.budget=2GiB encoder:all-minilm-l6-v2
              breeze residency --hold 60 --json encoder:all-minilm-l6-v2      one JSON object a line
            """
    )

    @OptionGroup var options: EngineOptions

    @Option(help: ArgumentHelp("Stay so long after the last one is loaded.", valueName: "seconds"))
    var hold: Double?

    @Option(help: ArgumentHelp("Pin this one first; may be repeated.", valueName: "id"))
    var pin: [String] = []

    @Argument(help: "The runners to load, in this order.")
    var runners: [String] = []

    private struct Line: Encodable {
        let event: String
        var runner: String?
        var cause: String?
        var table: ResidencyTable?
    }

    func validate() throws {
        if let hold, !(hold >= 0 && hold <= 86_400) {
            throw ValidationError("--hold takes 0 to 86400 seconds.")
        }
    }

    func run() async throws {
        let engine = try await Composition(options).engine
        let events = engine.residencyEvents()
        let printing = Task { for await event in events { try print(event) } }
        defer { printing.cancel() }
        for id in pin { try await engine.pin(id) }
        var failure: (any Error)?
        for id in runners {
            do { try await engine.load(id) } catch let error as BreezeError {
                guard error.code == .insufficientMemory else { throw error }
                failure = error
                if !options.json { Console.printError(error.message) }
            }
        }
        if let hold { try await ContinuousClock().sleep(for: .seconds(hold)) }
        try print(await engine.residency())
        if let failure { throw failure }
    }

    private func print(_ event: ResidencyEvent) throws {
        let line =
            switch event {
            case .loading(let id): Line(event: "loading", runner: id)
            case .loaded(let id): Line(event: "loaded", runner: id)
            case .loadFailed(let id): Line(event: "loadFailed", runner: id)
            case .unloaded(let id): Line(event: "unloaded", runner: id)
            case .evicted(let id, let cause): Line(event: "evicted", runner: id, cause: cause.rawValue)
            case .refused(let id): Line(event: "refused", runner: id)
            case .pressure(let level): Line(event: "pressure", cause: level.rawValue)
            }
        if options.json { return try Console.print(try JSONText.line(line)) }
        try Console.print([line.event, line.runner, line.cause].compactMap(\.self).joined(separator: " "))
    }

    private func print(_ table: ResidencyTable) throws {
        if options.json { return try Console.print(try JSONText.line(Line(event: "table", table: table))) }
        let budget = table.budget.map { Quantity.bytes($0) } ?? "unlimited"
        try Console.print("budget    \(budget)")
        try Console.print("used      \(Quantity.bytes(table.used))")
        if let free = table.free { try Console.print("free      \(Quantity.bytes(free))") }
        let source = table.pressureSource ?? MemoryPressureSources.forThisDevice().summary
        try Console.print("pressure  \(table.pressure.rawValue), told by \(source)")
        guard !table.entries.isEmpty else { return }
        var rows = Table("RUNNER", "STATE", "MEMORY", "UNLOADS IN")
        for entry in table.entries {
            let place = entry.residency
            rows.add(
                entry.runner,
                place.isPinned ? "\(place.state.rawValue), pinned" : place.state.rawValue,
                place.bytes.map { Quantity.bytes($0) + (place.isMeasured ? ", measured" : "") } ?? "unknown",
                place.expiresIn.map { Quantity.seconds($0) } ?? "never"
            )
        }
        try rows.print()
    }
}
