public import BreezeCore
public import Foundation
import Synchronization

/// Where the engine gets its settings, each time anew.
public protocol SettingsSource: Sendable {
    func current() throws -> EngineSettings
}

extension EngineSettings: SettingsSource {
    public func current() -> EngineSettings { self }
}

/// The settings file, over it the environment, over both the flags. The file is read again when it has
/// changed: each look costs one `stat`.
public final class SettingsStore: SettingsSource {
    /// What tells one state of the file from another.
    private struct Stamp: Equatable {
        let inode: UInt64
        let size: UInt64
        /// Nanoseconds since 1970.
        let modified: Int
    }

    private struct Cache {
        var stamp: Stamp?
        var settings: EngineSettings
    }

    public let file: URL
    private let path: String
    private let environment: [String: String]
    private let flags: [String]
    private let cache: Mutex<Cache?> = Mutex(nil)

    /// `file` need not exist; `flags` are `NAME=VALUE` each.
    public init(file: URL, environment: [String: String] = [:], flags: [String] = []) {
        self.file = file
        path = file.path
        self.environment = environment
        self.flags = flags
    }

    /// - Throws: ``BreezeError/Code/invalidSetting`` for whatever is wrong in a source. A file that became wrong
    ///   fails requests too: going on with what it said before could go on with a consent that was taken back.
    public func current() throws -> EngineSettings {
        let stamp = try self.stamp()
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

    /// Where the settings really are: the file may be a link to one that is kept elsewhere.
    private var target: URL { file.resolvingSymlinksInPath() }

    /// `nil` where there is no file.
    private func stamp() throws -> Stamp? {
        // Asked for each request: it follows links by itself, and takes one call.
        var found = stat()
        guard stat(path, &found) == 0 else {
            if errno == ENOENT { return nil }
            throw unreadable(Self.systemError)
        }
        #if canImport(Darwin)
        let time = found.st_mtimespec
        #else
        let time = found.st_mtim
        #endif
        return Stamp(
            inode: UInt64(found.st_ino),
            size: UInt64(found.st_size),
            modified: time.tv_sec * 1_000_000_000 + time.tv_nsec
        )
    }

    private func contents() throws -> Data {
        do { return try Data(contentsOf: target) } catch { throw unreadable(error) }
    }

    private func unreadable(_ error: any Error) -> BreezeError {
        BreezeError(
            .inputOutput,
            "The settings file \(file.path) cannot be read.",
            remedy: "Check that it is a file and that you may read it.",
            underlying: error
        )
    }
}

// MARK: - Writing

extension SettingsStore {
    /// Writes one value into the file, by atomic replace; a `text` of `nil` takes it out. Nothing is written
    /// where the result would not be valid, as far as the names and kinds of ``SettingKey`` tell.
    public func write(_ name: String, text: String?) throws {
        let key = try? SettingKey.named(name)
        try change(name) { _ in text.map { SettingsTree.value(of: $0, for: key?.kind) } }
    }

    /// Writes what `change` makes of the value that the file has; `nil` is none, before and after. No other
    /// writer comes between.
    public func change(_ name: String, _ change: (JSONValue?) throws -> JSONValue?) throws {
        let path = SettingKey.path(of: name)
        let target = target
        let folder = target.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch { throw unwritable(error) }
        // Two writers at once would each keep the other's value out.
        let lock = open(folder.appending(path: ".settings.lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw unwritable(Self.systemError) }
        defer { close(lock) }
        let data = try changed(path, change)
        do { try replace(target, with: data) } catch { throw unwritable(error) }
    }

    private func changed(_ path: [String], _ change: (JSONValue?) throws -> JSONValue?) throws -> Data {
        var root: JSONValue = .object([:])
        var checked = SettingsTree()
        if try stamp() != nil { root = try checked.read(file: try contents(), at: file.path) }
        _ = try SettingKey.named(path.joined(separator: "."))
        let value = try change(checked.entries.first { $0.path == path }?.value)
        if let value { try checked.set(path, to: value, origin: .file(file.path)) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(root.setting(path[...], to: value))
    }

    /// A runner's parameter may be a secret, so the file is its owner's alone.
    private func replace(_ target: URL, with data: Data) throws {
        let temporary = target.deletingLastPathComponent().appending(path: ".settings.\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: temporary) }
        let made = FileManager.default.createFile(
            atPath: temporary.path,
            contents: nil,
            attributes: [.posixPermissions: 0o600]
        )
        guard made else { throw Self.systemError }
        let handle = try FileHandle(forWritingTo: temporary)
        defer { try? handle.close() }
        try handle.write(contentsOf: data)
        try handle.synchronize()
        guard rename(temporary.path, target.path) == 0 else { throw Self.systemError }
    }

    private static var systemError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private func unwritable(_ error: any Error) -> BreezeError {
        BreezeError(
            .inputOutput,
            "The settings file \(file.path) cannot be written.",
            remedy: "Check the folder's permissions and the free disk space.",
            underlying: error
        )
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
