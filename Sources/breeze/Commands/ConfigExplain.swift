import ArgumentParser
import BreezeCore
import BreezeEngine
import Foundation

extension ConfigCommand {
    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
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
            let keys = try name.map { try [Self.find($0)] } ?? SettingKey.all
            let explained = keys.map { key in
                SettingExplanation(key, entries: entries.filter { key.covers($0.path) })
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

        private static func find(_ name: String) throws -> SettingKey {
            let path = name.split(separator: ".").map(String.init)
            if let key = SettingKey.all.first(where: { $0.name == name || $0.covers(path) }) { return key }
            let names =
                SettingKey.all.map(\.name)
                + AICapability.standard.map { "routing.preferred.\($0)" }
                + InferenceConfig.standardParameterNames.map { "defaults.\($0)" }
            throw BreezeError(
                .invalidSetting,
                "There is no setting \(name).",
                remedy: nearestName(to: name, in: names).map { "Did you mean \($0)?" }
                    ?? "List them: breeze config explain"
            )
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
    /// `nil` for a setting that counts in the file alone, and for one whose name a variable cannot spell.
    let variable: String?
    let values: [Value]

    init(_ key: SettingKey, entries: [SettingsTree.Entry]) {
        name = key.name
        summary = key.summary
        takes = key.kind?.words ?? "what the runner's parameter takes (breeze runners)"
        variable = key.variable
        values = entries.map { Value(name: $0.name, value: $0.value, origin: $0.origin.description) }
    }

    var lines: [String] {
        let style = Style.output
        var lines = [style.bold(name), "  \(summary)", "  takes     \(takes)"]
        lines.append("  variable  \(variable ?? "none: it counts in the settings file or by --set alone")")
        if values.isEmpty { lines.append("  now       not set") }
        for value in values {
            let subject = value.name == name ? "" : "\(value.name) = "
            lines.append("  now       \(subject)\(value.value.text)   (\(value.origin))")
        }
        return lines
    }
}

extension SettingKey {
    /// Whether the path is this key's, with any word in the place of each placeholder.
    fileprivate func covers(_ path: [String]) -> Bool {
        let parts = name.split(separator: ".")
        // A runner's id may hold dots itself.
        if parts.first == "runners", path.first == "runners" { return path.count >= parts.count }
        return parts.count == path.count
            && zip(parts, path).allSatisfy { part, word in part.hasPrefix("<") || part == word }
    }

    fileprivate var variable: String? {
        guard !isFileOnly, !name.hasPrefix("runners.") else { return nil }
        let words = name.split(separator: ".").map { $0.hasPrefix("<") ? String($0) : $0.uppercased() }
        return "BREEZE_" + words.joined(separator: "_")
    }
}
