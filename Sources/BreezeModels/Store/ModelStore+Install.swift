import BreezeCore
import BreezeFiles
import Foundation

/// The steps that every import is made of; only under the lock.
extension ModelStore {
    /// A folder for unfinished files, gone when `body` ends; where it fails, so is all that it put into
    /// place.
    /// - Throws: ``BreezeError`` `.insufficientDisk` where `needed` bytes are not there; what `body` throws.
    func withStaging<Answer>(
        needed: Int64,
        _ body: (URL) async throws -> Answer
    ) async throws -> Answer {
        // Files of a process that died between its last rename and its manifest.
        _ = collectGarbage()
        try checkDisk(needed: needed)
        try checkQuota(needed: needed)
        let staging = layout.temporary.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: staging) }
        do {
            return try await body(staging)
        } catch {
            // What was renamed into place before the failure.
            _ = collectGarbage()
            throw error
        }
    }

    /// Takes files in while hashing them; names may have folders in front.
    func copy(
        _ names: [String],
        from directory: URL,
        to staging: URL,
        mode: IntakeMode = .copy,
        progress: (ImportProgress) -> Void
    ) async throws -> [ModelManifest.File] {
        let readers = try names.map { try FileReader(url: directory.appending(path: $0)) }
        let total = readers.reduce(0) { $0 + Int64($1.size) }
        var done: Int64 = 0
        var files: [ModelManifest.File] = []
        for (name, reader) in zip(names, readers) {
            let target = staging.appending(path: name)
            try Folder.make(target.deletingLastPathComponent())
            let isLinked = mode == .link && Self.link(reader.url, to: target)
            let output = isLinked ? nil : try OutputFile(creating: target)
            let digest = try await reader.sha256 { piece in
                try output?.write(piece)
                done += Int64(piece.count)
                progress(
                    ImportProgress(stage: isLinked ? .comparing : .copying, completed: done, total: total)
                )
            }
            try output?.finish()
            files.append(ModelManifest.File(name: name, sha256: digest, size: Int64(reader.size)))
        }
        return files
    }

    /// A second name for a file; `false` where the disk, or the file's owner, has it copied instead.
    private static func link(_ source: URL, to target: URL) -> Bool {
        linkat(AT_FDCWD, source.path, AT_FDCWD, target.path, AT_SYMLINK_FOLLOW) == 0
    }

    /// - Throws: ``BreezeError`` `.quotaExceeded` where the store would have more than it may.
    private func checkQuota(needed: Int64) throws {
        guard let quota else { return }
        let used = StoreLayout.totalSize(below: layout.blobs) + StoreLayout.totalSize(below: layout.derived)
        guard used + needed > quota else { return }
        throw BreezeError(
            .quotaExceeded,
            "The models would take \(used + needed) bytes and may take \(quota).",
            remedy: "Remove what you do not need (breeze models usage), or raise models.quota."
        )
    }

    /// The manifest last: until it is there, the model is not installed, and the next import clears the rest
    /// away.
    func install(_ manifest: ModelManifest, from staging: URL) throws {
        for file in manifest.files {
            let blob = layout.blob(file.sha256)
            try WholeFile.move(staging.appending(path: file.name), to: blob)
            try BlobRecord(of: blob)?.write(to: layout.record(file.sha256))
        }
        try write(manifest, by: staging)
    }

    /// Installs a model whose files are in their places. `staging` is a folder for what is not whole yet.
    func write(_ manifest: ModelManifest, by staging: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let temporary = staging.appending(path: "manifest.json")
        let output = try OutputFile(creating: temporary)
        try output.write([UInt8](try encoder.encode(manifest)))
        try output.finish()
        try keepPrevious(of: manifest, in: staging)
        try WholeFile.move(temporary, to: layout.manifest(manifest.info.id))
    }

    /// What is installed now can be brought back with ``rollback(_:)``; what cannot be read is not worth it.
    private func keepPrevious(of manifest: ModelManifest, in staging: URL) throws {
        let id = manifest.info.id
        guard let old = try? readManifest(id), old.files != manifest.files else { return }
        let kept = staging.appending(path: "previous.json")
        guard Foundation.link(layout.manifest(id).path, kept.path) == 0 else {
            throw FileFault.writing(kept, errno)
        }
        try WholeFile.move(kept, to: layout.previous(id))
    }

    func conflict(_ id: String) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "Another model is installed as \(id).",
            remedy: "Give the new one another id with --id, or put it in the old one's place with --replace."
        )
    }
}
