import BreezeCore
import BreezeFiles
public import Foundation

/// What the store takes on disk.
public struct StoreUsage: Codable, Hashable, Sendable {
    public struct Model: Codable, Hashable, Sendable {
        public var id: String
        /// Bytes of all its files.
        public var bytes: Int64
        /// Bytes that removing it gives back: files that no other model uses.
        public var ownBytes: Int64
    }

    public var models: [Model]
    /// Bytes of all models together, each file once.
    public var blobs: Int64
    /// Of what was made from models, and can be made again.
    public var derived: Int64
    /// Of what only a way back to a replaced model keeps.
    public var previous: Int64
    /// Of downloads that are not whole.
    public var downloads: Int64
    /// `nil` where the system does not say.
    public var free: Int64?
    public var quota: Int64?

    public var total: Int64 { blobs + derived + downloads }
}

/// How a check of a model's files ended.
public struct VerificationReport: Codable, Hashable, Sendable {
    public struct Fault: Codable, Hashable, Sendable {
        public var file: String
        public var expected: String
        public var found: String
    }

    public var id: String
    public var files: Int
    public var bytes: Int64
    /// Files whose bytes are not those that were installed.
    public var faults: [Fault]

    public var isIntact: Bool { faults.isEmpty }
}

extension ModelStore {
    /// - Throws: ``BreezeError`` where the store's folder cannot be read.
    public func usage() throws -> StoreUsage {
        let manifests = try list().models
        var users: [String: Int] = [:]
        for manifest in manifests {
            for digest in Set(manifest.files.map(\.sha256)) { users[digest, default: 0] += 1 }
        }
        let models = manifests.map { manifest in
            let files = Dictionary(manifest.files.map { ($0.sha256, $0.size) }) { first, _ in first }
            let own = files.filter { users[$0.key] == 1 }.values.reduce(0, +)
            return StoreUsage.Model(
                id: manifest.info.id,
                bytes: files.values.reduce(0, +),
                ownBytes: own
            )
        }
        let blobs = StoreLayout.totalSize(below: layout.blobs)
        let used = Dictionary(manifests.flatMap(\.files).map { ($0.sha256, $0.size) }) { first, _ in first }
        return StoreUsage(
            models: models,
            blobs: blobs,
            derived: StoreLayout.totalSize(below: layout.derived),
            previous: max(0, blobs - used.values.reduce(0, +)),
            downloads: StoreLayout.totalSize(below: layout.downloads),
            free: freeBytes(layout.root.deletingLastPathComponent()),
            quota: quota
        )
    }

    /// Hashes every file of a model anew. What is as it was is remembered as such; a fault is reported and left for
    /// the user to see. `progress` is called from the calling task, often.
    /// - Returns: what was found.
    /// - Throws: ``BreezeError``, see ``manifest(for:)``; `.cancelled`.
    @concurrent
    public func verify(
        _ id: String,
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> VerificationReport {
        try await check(manifest(for: id), { _ in true }, progress)
    }

    /// When a model came or went last, by whichever process; `nil` before the first one.
    public var changed: Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: layout.manifests.path)
        return attributes?[.modificationDate] as? Date
    }

    /// When the model came in; `nil` where it is not installed.
    public func installationDate(of id: String) -> Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: layout.manifest(id).path)
        return attributes?[.modificationDate] as? Date
    }

    /// The same for those files alone whose size or time is not what it was when they were known to be right: what
    /// somebody wrote to.
    @concurrent
    public func verifyChanged(_ manifest: ModelManifest) async throws -> VerificationReport {
        try await check(manifest, { hasChanged($0) }, { _ in })
    }

    private func hasChanged(_ file: ModelManifest.File) -> Bool {
        BlobRecord(of: layout.blob(file.sha256)) != BlobRecord(at: layout.record(file.sha256))
    }

    private func check(
        _ manifest: ModelManifest,
        _ isWanted: (ModelManifest.File) -> Bool,
        _ progress: @escaping @Sendable (ImportProgress) -> Void
    ) async throws -> VerificationReport {
        let files = manifest.files.filter(isWanted)
        let total = files.reduce(0) { $0 + $1.size }
        var report = VerificationReport(id: manifest.info.id, files: files.count, bytes: total, faults: [])
        var done: Int64 = 0
        do {
            for file in files {
                let blob = layout.blob(file.sha256)
                let record = BlobRecord(of: blob)
                let digest = try await FileReader(url: blob).sha256 { piece in
                    done += Int64(piece.count)
                    progress(ImportProgress(stage: .comparing, completed: done, total: total))
                }
                guard digest == file.sha256 else {
                    report.faults.append(.init(file: file.name, expected: file.sha256, found: digest))
                    continue
                }
                // As it was before it was read: a change meanwhile is one to look at again.
                guard FileManager.default.fileExists(atPath: layout.records.path) else { continue }
                try record?.write(to: layout.record(file.sha256))
            }
        } catch is CancellationError {
            throw BreezeError(.cancelled, "The check of \(manifest.info.id) was cancelled.")
        }
        return report
    }

    /// SHA-256 of any file, in lower-case hexadecimal digits.
    /// - Throws: ``BreezeError`` `.inputOutput`; `CancellationError`.
    @concurrent
    public static func sha256(of file: URL) async throws -> String {
        try await FileReader(url: file).sha256()
    }

    /// Puts the model back that the installed one replaced; a second call puts the newer one back.
    /// - Throws: ``BreezeError`` `.unknownModel`, `.invalidParameter` where it never replaced one.
    @concurrent
    public func rollback(_ id: String) async throws -> ModelManifest {
        let ids = try installedIDs()
        guard ids.contains(id) else { throw unknown(id, among: ids) }
        return try await locked("Cancelled before \(id) was put back.") {
            let (current, previous) = (layout.manifest(id), layout.previous(id))
            guard FileStatus.size(of: previous) != nil else {
                throw BreezeError(
                    .invalidParameter,
                    "\(id) has not replaced another version.",
                    remedy: "See breeze models show \(id)."
                )
            }
            let kept = layout.temporary.appending(path: "\(UUID().uuidString).json")
            guard link(current.path, kept.path) == 0 else { throw FileFault.writing(kept, errno) }
            // Each step leaves a whole manifest in the place that counts.
            try WholeFile.move(previous, to: current)
            try WholeFile.move(kept, to: previous)
            return try readManifest(id)
        }
    }

    /// Removes what nothing needs: ways back to replaced models, files without a model, and downloads that were given
    /// up; with `downloads` also those that are not whole, which then begin anew.
    /// - Returns: bytes freed.
    /// - Throws: ``BreezeError``: `.inputOutput`, `.cancelled`.
    @concurrent
    public func prune(downloads: Bool = false) async throws -> Int64 {
        try await locked("Cancelled before anything was removed.") {
            var freed: Int64 = 0
            for url in StoreLayout.contents(of: layout.previous) {
                freed += FileStatus.size(of: url) ?? 0
                unlink(url.path)
            }
            if downloads {
                for url in StoreLayout.contents(of: layout.downloads) where !Self.isBusy(url) {
                    let size = StoreLayout.totalSize(below: url)
                    if (try? FileManager.default.removeItem(at: url)) != nil { freed += size }
                }
            }
            return freed + collectGarbage()
        }
    }

    /// Whether a process is at the download: it holds the folder's lock.
    private static func isBusy(_ folder: URL) -> Bool { FileLease.isHeld(folder.appending(path: ".lock")) }

    /// Where the download of a model comes together.
    public func downloadFolder(for id: String) throws -> URL {
        try ModelIdentifier.check(id)
        try layout.create()
        return layout.downloads.appending(path: id, directoryHint: .isDirectory)
    }

    /// The ids of downloads that are not whole.
    public func unfinishedDownloads() -> [String] {
        StoreLayout.contents(of: layout.downloads).filter { folder in
            StoreLayout.contents(of: folder).contains { $0.lastPathComponent.first != "." }
        }.map(\.lastPathComponent)
    }
}
