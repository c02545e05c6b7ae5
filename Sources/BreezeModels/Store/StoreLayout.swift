import BreezeCore
import BreezeFiles
import Foundation

/// Where things lie in a store, by folder.
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
            try Folder.make(folder)
        }
    }

    /// Of all files below it.
    static func totalSize(below folder: URL) -> Int64 {
        guard let paths = FileManager.default.enumerator(atPath: folder.path) else { return 0 }
        var total: Int64 = 0
        while let path = paths.nextObject() as? String {
            total += FileStatus.size(of: folder.appending(path: path)) ?? 0
        }
        return total
    }

    static func contents(of folder: URL) -> [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
