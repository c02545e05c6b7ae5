import BreezeCore
import Foundation

extension SettingsTree {
    /// Reads a settings file: JSON, nested objects for the dotted names.
    /// - Returns: What it holds, as it is written there.
    @discardableResult
    mutating func read(file data: Data, at path: String) throws -> JSONValue {
        let root = try Self.json(data, at: path)
        guard case .object(let object) = root else {
            throw BreezeError(
                .invalidSetting,
                "The settings file \(path) holds \(root.kindName) and not an object.",
                remedy: "It looks like {\"privacy\": {\"offline\": true}}."
            )
        }
        try read(object, below: [], origin: .file(path))
        return root
    }

    private static func json(_ data: Data, at path: String) throws -> JSONValue {
        let bytes = Array(data)
        do throws(StrictJSON.Fault) { return try JSONValue(parsing: bytes) } catch {
            throw BreezeError(
                .invalidSetting,
                "The settings file \(path) is not valid JSON: \(error.words(in: bytes)).",
                remedy: "Mend it, or move it away to start from the defaults.",
                underlying: error
            )
        }
    }

    private mutating func read(
        _ object: [String: JSONValue],
        below prefix: [String],
        origin: Origin
    ) throws {
        for (word, value) in object.sorted(by: { $0.key < $1.key }) {
            // At the top a dotted name stands for the nested one; below, dots belong to a runner's id.
            let path = prefix.isEmpty ? SettingKey.path(of: word) : prefix + [word]
            if SettingKey.matching(path) == nil, case .object(let children) = value, !children.isEmpty {
                try read(children, below: path, origin: origin)
            } else if value != .object([:]), value != .null {
                try set(path, to: value, origin: origin)
            }
        }
    }

    /// Reads variables like `BREEZE_PRIVACY_OFFLINE`. Other variables whose names begin with `BREEZE_` are
    /// not settings, unless their second word is a section's name: then they are misspelt.
    mutating func read(environment: [String: String]) throws {
        let names = Dictionary(
            SettingKey.suggestions.map { (SettingKey.variable(for: $0), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        for (variable, text) in environment.sorted(by: { $0.key < $1.key })
        where variable.hasPrefix("BREEZE_") {
            let section = variable.dropFirst("BREEZE_".count).prefix { $0 != "_" }.lowercased()
            guard SettingKey.sections.contains(section) else { continue }
            guard let name = names[variable] else {
                let near = nearestName(to: variable, in: names.keys)
                throw BreezeError(
                    .invalidSetting,
                    "The variable \(variable) names no setting.",
                    remedy: near.map { "Did you mean \($0)?" } ?? "List them: breeze config explain"
                )
            }
            try set(name, text: text, origin: .environment(variable))
        }
    }

    /// Reads flags like `privacy.offline=true`.
    mutating func read(flags: [String]) throws {
        for flag in flags {
            guard let equals = flag.firstIndex(of: "=") else {
                throw BreezeError(
                    .invalidSetting,
                    "\"\(flag)\" sets nothing.",
                    remedy: "Write NAME=VALUE, as in privacy.offline=true."
                )
            }
            let text = String(flag[flag.index(after: equals)...])
            try set(String(flag[..<equals]), text: text, origin: .flag)
        }
    }

    /// Sets a value that was typed: JSON where it parses as the key's kind, else a plain string.
    mutating func set(_ name: String, text: String, origin: Origin) throws {
        let path = SettingKey.path(of: name)
        try set(path, to: Self.value(of: text, for: SettingKey.matching(path)?.kind), origin: origin)
    }

    static func value(of text: String, for kind: ParameterDescriptor.Kind?) -> JSONValue {
        switch kind {
        case .string, .selection: return .string(text)
        case .strings where !text.hasPrefix("["):
            return .array(text.split(separator: ",").map { .string($0.trimmingCharacters(in: .whitespaces)) })
        case .boolean where ["1", "yes", "on"].contains(text.lowercased()): return true
        case .boolean where ["0", "no", "off"].contains(text.lowercased()): return false
        default:
            return (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) ?? .string(text)
        }
    }
}
