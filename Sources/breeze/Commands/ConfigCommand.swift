import ArgumentParser
import BreezeCore
import BreezeEngine
import Foundation

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show, explain and change the settings.",
        discussion: """
            A setting comes from the settings file, from the environment (BREEZE_PRIVACY_OFFLINE=true) or \
            from --set NAME=VALUE, each outranking the one before.

            Examples:
              breeze config explain
              breeze config set routing.preferred.embedding encoder
              breeze config unset routing.preferred.embedding
            """,
        subcommands: [Show.self, Explain.self, Set.self, Unset.self]
    )
}

/// The settings without the engine: a look at them must not need a sound model store.
func settingsStore(flags: [String] = []) -> SettingsStore {
    let environment = ProcessInfo.processInfo.environment
    return SettingsStore(
        file: BreezePaths(environment: environment).settings,
        environment: environment,
        flags: flags
    )
}

extension ConfigCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the settings in force and where each comes from.",
            discussion: """
                Example:
                  breeze config show --json
                """
        )

        @OptionGroup var options: EngineOptions

        private struct Report: Encodable {
            struct Setting: Encodable {
                let name: String
                let value: JSONValue
                let origin: String
            }
            let file: String
            let settings: [Setting]
        }

        func run() throws {
            let store = settingsStore(flags: options.settings)
            let entries = try store.current().tree.entries
            if options.json {
                let settings = entries.map {
                    Report.Setting(name: $0.name, value: $0.value, origin: $0.origin.description)
                }
                return try JSONText.print(Report(file: store.file.path, settings: settings))
            }
            guard !entries.isEmpty else {
                return try Console.print(
                    "Nothing is set. See what there is: breeze config explain\nFile: \(store.file.path)"
                )
            }
            var table = Table("SETTING", "VALUE", "FROM")
            for entry in entries { table.add(entry.name, entry.value.text, entry.origin.description) }
            try table.print()
        }
    }

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Write a setting into the settings file.",
            discussion: """
                Nothing is written where the value is not valid.

                Examples:
                  breeze config set privacy.offline true
                  breeze config set defaults.temperature 0.4
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The setting's name.") var name: String
        @Argument(help: "The value: a word, a number, or JSON.") var value: String

        func run() throws {
            try ConfigChange.write(name, value, json: output.json)
        }
    }

    struct Unset: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset",
            abstract: "Take a setting out of the settings file.",
            discussion: """
                Example:
                  breeze config unset privacy.offline
                """
        )

        @OptionGroup var output: OutputOptions
        @Argument(help: "The setting's name.") var name: String

        func run() throws {
            try ConfigChange.write(name, nil, json: output.json)
        }
    }
}

/// A change of the settings file, and what it comes to: another source may outrank the file.
enum ConfigChange {
    private struct Report: Encodable {
        let name: String
        let value: JSONValue?
        let origin: String?
        let file: String
    }

    static func write(_ name: String, _ text: String?, json: Bool) throws {
        let store = settingsStore()
        try store.write(name, text: text)
        try report(name, in: store, json: json)
    }

    static func report(_ name: String, in store: SettingsStore, json: Bool) throws {
        let entry = try store.current().tree.entries.first { $0.name == name }
        if json {
            return try JSONText.print(
                Report(
                    name: name,
                    value: entry?.value,
                    origin: entry?.origin.description,
                    file: store.file.path
                )
            )
        }
        guard let entry else { return try Console.print("\(name) is not set any more.") }
        try Console.print("\(name) = \(entry.value.text)   (\(entry.origin))")
        if case .environment(let variable) = entry.origin {
            Console.printError("note: \(variable) outranks the settings file.")
        }
    }
}
