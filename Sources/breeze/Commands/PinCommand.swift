import ArgumentParser
import BreezeCore
import BreezeEngine

struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Keep a runner loaded: it is not unloaded to make room, nor for being idle.",
        discussion: """
            Written into the settings file as residency.pinned. Every engine that reads the file heeds it, from \
            its next look at the settings on.

            Examples:
              breeze pin encoder
              breeze config show                 what is pinned
            """
    )

    @OptionGroup var options: EngineOptions
    @Argument(help: "The runner, backend or model.") var name: String

    func run() async throws {
        let composition = try await Composition(options)
        try Self.check(name, among: await composition.engine.runners())
        try Pins.change(json: options.json) { pinned in pinned.contains(name) ? pinned : pinned + [name] }
    }

    private static func check(_ name: String, among runners: [RunnerStatus]) throws {
        let known = runners.flatMap(\.names)
        guard !known.contains(name) else { return }
        throw BreezeError(
            .unknownRunner,
            "There is no runner, backend or model \(name).",
            remedy: nearestName(to: name, in: Set(known).sorted()).map { "Did you mean \($0)?" }
                ?? "List them: breeze runners"
        )
    }
}

struct UnpinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "Let a pinned runner be unloaded again.",
        discussion: """
            Example:
              breeze unpin encoder
            """
    )

    @OptionGroup var output: OutputOptions
    @Argument(help: "The runner, backend or model, as it was pinned.") var name: String

    func run() throws {
        try Pins.change(json: output.json) { pinned in
            guard pinned.contains(name) else {
                throw BreezeError(
                    .invalidSetting,
                    "\(name) is not pinned in the settings file.",
                    remedy: pinned.isEmpty
                        ? "Nothing is pinned there." : "Pinned are \(pinned.joined(separator: ", "))."
                )
            }
            return pinned.filter { $0 != name }
        }
    }
}

private enum Pins {
    private static let setting = "residency.pinned"

    static func change(json: Bool, _ change: ([String]) throws -> [String]) throws {
        let store = settingsStore()
        try store.change(setting) { value in
            let pinned = try change(value?.arrayValue?.compactMap(\.stringValue) ?? [])
            return pinned.isEmpty ? nil : .array(pinned.map { .string($0) })
        }
        try ConfigChange.report(setting, in: store, json: json)
    }
}

extension RunnerStatus {
    /// What it can be pinned by: its id, its backend, its model.
    var names: [String] { [id, String(id.prefix { $0 != ":" })] + [model].compactMap(\.self) }
}

extension EngineSettings {
    var pins: [String] { tree["residency", "pinned"]?.arrayValue?.compactMap(\.stringValue) ?? [] }
}
