import BreezeCore
public import Foundation
import Synchronization

/// Where the engine gets its settings, each time anew.
public protocol SettingsSource: Sendable {
    func current() throws -> EngineSettings
}

extension EngineSettings: SettingsSource {
    public func current() -> EngineSettings { self }
}

/// The settings file, the environment and the flags, in this order of rank. The file is read again when it has
/// changed: each look costs one `stat`.
public final class SettingsStore: SettingsSource {
    /// What tells one state of the file from another.
    private struct Stamp: Equatable {
        let inode: UInt64
        let size: UInt64
        let modified: Date
    }

    private struct Cache {
        var stamp: Stamp?
        var settings: EngineSettings
    }

    public let file: URL
    private let environment: [String: String]
    private let flags: [String]
    private let cache: Mutex<Cache?> = Mutex(nil)

    /// `file` need not exist; `flags` are `NAME=VALUE` each.
    public init(file: URL, environment: [String: String] = [:], flags: [String] = []) {
        self.file = file
        self.environment = environment
        self.flags = flags
    }

    /// - Throws: ``BreezeError/Code/invalidSetting`` for whatever is wrong in a source. A file that became wrong
    ///   fails requests too: going on with what it said before could go on with a consent that was taken back.
    public func current() throws -> EngineSettings {
        let stamp = self.stamp()
        return try cache.withLock { cache in
            if let cache, cache.stamp == stamp { return cache.settings }
            var tree = SettingsTree()
            if stamp != nil { try tree.read(file: try contents(), at: file.path) }
            try tree.read(environment: environment)
            try tree.read(flags: flags)
            let settings = EngineSettings(tree, revision: (cache?.settings.revision ?? 0) + 1)
            cache = Cache(stamp: stamp, settings: settings)
            return settings
        }
    }

    private func stamp() -> Stamp? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else {
            return nil
        }
        return Stamp(
            inode: (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
            size: (attributes[.size] as? NSNumber)?.uint64Value ?? 0,
            modified: attributes[.modificationDate] as? Date ?? .distantPast
        )
    }

    private func contents() throws -> Data {
        do { return try Data(contentsOf: file) } catch {
            throw BreezeError(
                .inputOutput,
                "The settings file \(file.path) cannot be read.",
                remedy: "Check that it is a file and that you may read it.",
                underlying: error
            )
        }
    }

    /// Writes one value into the file, by atomic replace; a `text` of `nil` takes it out. Nothing is written where
    /// the result would not be valid.
    public func write(_ name: String, text: String?) throws {
        let path = SettingKey.path(of: name)
        var root: JSONValue = .object([:])
        var checked = SettingsTree()
        if stamp() != nil {
            let data = try contents()
            try checked.read(file: data, at: file.path)
            root = try JSONDecoder().decode(JSONValue.self, from: data)
        }
        let value = text.map { SettingsTree.value(of: $0, for: SettingKey.matching(path)?.kind) }
        let origin = SettingsTree.Origin.file(file.path)
        if let value {
            try checked.set(path, to: value, origin: origin)
        } else if SettingKey.matching(path) == nil {
            throw SettingsTree.unknown(path, origin)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(root.setting(path[...], to: value))
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try data.write(to: file, options: .atomic)
        } catch {
            throw BreezeError(
                .inputOutput,
                "The settings file \(file.path) cannot be written.",
                remedy: "Check the folder's permissions and the free disk space.",
                underlying: error
            )
        }
    }
}

extension JSONValue {
    /// A copy with the value at `path` set, or taken out together with the objects that are empty without it.
    fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue?) -> JSONValue {
        guard let word = path.first else { return value ?? self }
        var object = objectValue ?? [:]
        if path.count == 1 {
            object[word] = value
        } else {
            let child = (object[word] ?? .object([:])).setting(path.dropFirst(), to: value)
            object[word] = child == .object([:]) ? nil : child
        }
        return .object(object)
    }
}
