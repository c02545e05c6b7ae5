public import BreezeCore

/// Settings from several sources, each value with its origin. Later sources outrank earlier ones.
public struct SettingsTree: Sendable {
    public struct Entry: Hashable, Sendable {
        public let path: [String]
        public let value: JSONValue
        public let origin: Origin

        public var name: String { path.joined(separator: ".") }
    }

    public enum Origin: Hashable, Sendable, CustomStringConvertible {
        case file(String)
        /// The variable's name.
        case environment(String)
        case flag

        public var description: String {
            switch self {
            case .file(let path): "file \(path)"
            case .environment(let name): "environment \(name)"
            case .flag: "flag --set"
            }
        }
    }

    private var byPath: [[String]: Entry] = [:]

    public init() {}

    /// Sorted by name.
    public var entries: [Entry] { byPath.values.sorted { $0.name < $1.name } }

    public subscript(path: String...) -> JSONValue? { byPath[path]?.value }

    /// What lies below a path, by the next word: `runners.encoder` gives the encoder's parameters.
    func children(of prefix: [String]) -> [String: Entry] {
        var children: [String: Entry] = [:]
        for (path, entry) in byPath where path.count == prefix.count + 1 && path.starts(with: prefix) {
            children[path[prefix.count]] = entry
        }
        return children
    }

    /// Checks `value` and puts it in the place of what an earlier source said.
    public mutating func set(_ path: [String], to value: JSONValue, origin: Origin) throws {
        guard let key = SettingKey.matching(path) else {
            throw SettingKey.unknown(path.joined(separator: "."), in: origin.description)
        }
        if key.isFileOnly, !origin.isFile {
            throw BreezeError(
                .invalidSetting,
                "\(key.name) counts only in the settings file, not in \(origin).",
                remedy: "Write it there: breeze config set \(key.name) VALUE"
            )
        }
        byPath[path] = Entry(path: path, value: try Self.checked(value, path, key, origin), origin: origin)
    }

    private static func checked(
        _ value: JSONValue,
        _ path: [String],
        _ key: SettingKey,
        _ origin: Origin
    ) throws -> JSONValue {
        if key.isByteCount, ByteCount.value(of: value) == nil {
            throw BreezeError(
                .invalidSetting,
                "\(path.joined(separator: ".")) (\(origin)): it must be a size such as 4GiB, or bytes.",
                remedy: "See what it takes: breeze config explain \(key.name)"
            )
        }
        switch key.kind(at: path)?.check(value) {
        case .valid(let canonical): return canonical
        case .outOfRange(_, let reason), .wrong(let reason):
            throw BreezeError(
                .invalidSetting,
                "\(path.joined(separator: ".")) (\(origin)): \(reason).",
                remedy: "See what it takes: breeze config explain \(key.name)"
            )
        case nil: return value
        }
    }
}

extension SettingsTree.Origin {
    fileprivate var isFile: Bool {
        if case .file = self { true } else { false }
    }
}
