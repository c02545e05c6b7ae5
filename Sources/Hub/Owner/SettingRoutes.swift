#if Hub
import BreezeCore
import BreezeEngine
import Foundation
import Hummingbird
import HummingbirdCore

extension HubServer {
    func addSettingRoutes(to router: RouterGroup<HubContext>) {
        router.get("settings") { _, _ in
            let settings = try self.parts.settings.current()
            // What stands for many names has no one value.
            let keys = SettingKey.all.filter { !$0.name.contains("<") }
            return try Response(["settings": keys.map { ShownSetting($0, settings) }])
        }
        router.put("settings") { request, context in
            struct Wish: Decodable {
                let name: String
                let value: JSONValue
            }
            let wish = try await request.read(Wish.self, self.options.limits, context)
            return try Response(try await self.set(wish.name, wish.value))
        }
        router.delete("settings/:name") { _, context in
            try Response(try await self.set(try context.part("name"), nil))
        }
    }

    private func set(_ name: String, _ value: JSONValue?) async throws -> ShownSetting {
        let path = SettingKey.path(of: name)
        let parameter = try await parameter(path)
        let key = try SettingKey.named(name)
        if let value, let kind = parameter?.descriptor.kind ?? key.kind {
            switch kind.check(value) {
            case .valid: break
            case .outOfRange(_, let reason), .wrong(let reason):
                throw BreezeError(.invalidSetting, "\(name): \(reason)", remedy: "Give another value.")
            }
        }
        try parts.settings.change(name) { _ in value }
        let settings = try parts.settings.current()
        guard let (runner, descriptor) = parameter else { return ShownSetting(key, settings) }
        return ShownSetting(descriptor, of: runner, settings)
    }
}

/// A setting, or a runner's parameter, with what it is and where that comes from.
struct ShownSetting: Encodable {
    let name: String
    let kind: String
    let value: JSONValue?
    let `default`: JSONValue?
    /// `default`, `file`, `environment` or `flag`.
    let source: String
    let description: String
    var choices: [String]?
    var minimum: Double?
    var maximum: Double?

    init(_ key: SettingKey, _ settings: EngineSettings) {
        let entry = settings.tree.entries.first { $0.name == key.name }
        name = key.name
        self.default = nil
        source = entry?.origin.word ?? "default"
        description = key.isByteCount ? "\(key.summary) In bytes." : key.summary
        guard let given = key.kind else {
            // A size, which may be written as 4GiB.
            kind = "integer"
            value = entry.flatMap { ByteCount.value(of: $0.value) }.map { .integer(Int($0)) }
            minimum = 0
            return
        }
        (kind, value) = (given.word, entry?.value)
        limit(given)
    }

    init(_ parameter: ParameterDescriptor, of runner: String, _ settings: EngineSettings) {
        let backend = String(runner.prefix { $0 != ":" })
        let paths = [
            ["runners", runner, parameter.name], ["runners", backend, parameter.name],
            ["defaults", parameter.name],
        ]
        let entry = paths.lazy.compactMap { path in settings.tree.entries.first { $0.path == path } }.first
        name = parameter.name
        kind = parameter.kind.word
        self.default = parameter.defaultValue
        value = entry?.value ?? parameter.defaultValue
        source = entry?.origin.word ?? "default"
        description = parameter.summary
        limit(parameter.kind)
    }

    private mutating func limit(_ kind: ParameterDescriptor.Kind) {
        switch kind {
        case .integer(let least, let most):
            (minimum, maximum) = (least.map(Double.init), most.map(Double.init))
        case .number(let least, let most): (minimum, maximum) = (least, most)
        case .selection(let options): choices = options
        default: break
        }
    }
}

extension ParameterDescriptor.Kind {
    fileprivate var word: String {
        switch self {
        case .string: "string"
        case .boolean: "boolean"
        case .integer: "integer"
        case .number: "number"
        case .selection: "selection"
        case .strings: "strings"
        }
    }
}

extension SettingsTree.Origin {
    fileprivate var word: String {
        switch self {
        case .file: "file"
        case .environment: "environment"
        case .flag: "flag"
        }
    }
}
#endif
