import BreezeCore
import Foundation

/// Where things lie in a store, and the few operations on whole files that it is made of. Folders are open to
/// their owner alone.
struct StoreLayout: Hashable, Sendable {
    let root: URL

    init(home: URL) {
        root = home.absoluteURL.standardizedFileURL.appending(path: "models", directoryHint: .isDirectory)
    }

    var blobs: URL { root.appending(path: "blobs", directoryHint: .isDirectory) }
    var manifests: URL { root.appending(path: "manifests", directoryHint: .isDirectory) }
    var derived: URL { root.appending(path: "derived", directoryHint: .isDirectory) }
    /// The manifests of what was replaced last, one a model, for the way back.
    var previous: URL { root.appending(path: "previous", directoryHint: .isDirectory) }
    /// What is known of the blobs; see ``BlobRecord``.
    var records: URL { root.appending(path: "records", directoryHint: .isDirectory) }
    /// Downloads that are not whole yet, one folder each; they outlive their processes.
    var downloads: URL { root.appending(path: "downloads", directoryHint: .isDirectory) }
    /// Unfinished work; whatever is here when the lock is free was left by a process that died.
    var temporary: URL { root.appending(path: "tmp", directoryHint: .isDirectory) }
    var lock: URL { root.appending(path: "lock") }

    func blob(_ sha256: String) -> URL { blobs.appending(path: "sha256-\(sha256)") }
    func record(_ sha256: String) -> URL { records.appending(path: "sha256-\(sha256)") }
    func manifest(_ id: String) -> URL { manifests.appending(path: "\(id).json") }
    func previous(_ id: String) -> URL { previous.appending(path: "\(id).json") }

    func derived(_ key: String) -> URL { derived.appending(path: key, directoryHint: .isDirectory) }

    func create() throws {
        for folder in [root, blobs, manifests, previous, records, derived, downloads, temporary] {
            try Self.makeFolder(folder)
        }
    }

    /// With its parents.
    static func makeFolder(_ url: URL) throws {
        if mkdir(url.path, 0o700) == 0 || errno == EEXIST { return }
        let number = errno
        guard number == ENOENT, url.path != "/" else { throw FileFault.writing(url, number) }
        try makeFolder(url.deletingLastPathComponent())
        guard mkdir(url.path, 0o700) == 0 || errno == EEXIST else { throw FileFault.writing(url, errno) }
    }

    /// Puts a finished file in its place, replacing what is there; after it returns, a power cut does not
    /// undo it.
    static func move(_ source: URL, to target: URL) throws {
        guard rename(source.path, target.path) == 0 else { throw FileFault.writing(target, errno) }
        try sync(target.deletingLastPathComponent())
    }

    static func sync(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault.reading(folder, errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileFault.writing(folder, errno) }
    }

    /// `nil` where there is no regular file.
    static func size(of url: URL) -> Int64? {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Nanoseconds since 1970.
    static func modified(_ url: URL) -> Int64? {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Of all files below it.
    static func totalSize(below folder: URL) -> Int64 {
        guard let paths = FileManager.default.enumerator(atPath: folder.path) else { return 0 }
        var total: Int64 = 0
        while let path = paths.nextObject() as? String {
            total += size(of: folder.appending(path: path)) ?? 0
        }
        return total
    }

    static func contents(of folder: URL) -> [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
