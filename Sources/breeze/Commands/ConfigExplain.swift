import ArgumentParser
import BreezeCore
import BreezeEngine
import Foundation

extension ConfigCommand {
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Say what each setting means, takes and is.",
            discussion: """
                Examples:
                  breeze config explain
                  breeze config explain privacy.consent
                """
        )

        @OptionGroup var options: EngineOptions
        @Argument(help: "Only this setting.") var name: String?

        func run() throws {
            let environment = ProcessInfo.processInfo.environment
            let store = SettingsStore(
                file: BreezePaths(environment: environment).settings,
                environment: environment,
                flags: options.settings
            )
            let entries = try store.current().tree.entries
            let keys = try name.map { try [SettingKey.named($0)] } ?? SettingKey.all
            let explained = keys.map { key in
                SettingExplanation(key, entries: entries.filter { SettingKey.matching($0.path) == key })
            }
            if options.json {
                return try JSONText.print(Report(file: store.file.path, settings: explained))
            }
            for (index, setting) in explained.enumerated() {
                if index > 0 { try Console.print("") }
                for line in setting.lines { try Console.print(line) }
            }
            if name == nil { try Console.print("\nFile: \(store.file.path)") }
        }

        private struct Report: Encodable {
            let file: String
            let settings: [SettingExplanation]
        }
    }
}

private struct SettingExplanation: Encodable {
    struct Value: Encodable {
        let name: String
        let value: JSONValue
        let origin: String
    }

    let name: String
    let summary: String
    let takes: String
    let isFileOnly: Bool
    let variable: String?
    let values: [Value]

    init(_ key: SettingKey, entries: [SettingsTree.Entry]) {
        name = key.name
        summary = key.summary
        takes =
            key.isByteCount
            ? "a size such as 512MiB or 4GiB, or a number of bytes"
            : key.kind?.words ?? "what the runner's parameter takes (breeze runners)"
        isFileOnly = key.isFileOnly
        variable = key.variable
        values = entries.map { Value(name: $0.name, value: $0.value, origin: $0.origin.description) }
    }

    var lines: [String] {
        let style = Style.output
        var lines = [style.bold(name), "  \(summary)", "  takes     \(takes)"]
        let without = "none: it counts in the settings file\(isFileOnly ? "" : " or by --set") alone"
        lines.append("  variable  \(variable ?? without)")
        if values.isEmpty { lines.append("  now       not set") }
        for value in values {
            let subject = value.name == name ? "" : "\(value.name) = "
            lines.append("  now       \(subject)\(value.value.text)   (\(value.origin))")
        }
        return lines
    }
}
