import BreezeCore
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

    /// Copies files while hashing them; names may have folders in front.
    func copy(
        _ names: [String],
        from directory: URL,
        to staging: URL,
        progress: (ImportProgress) -> Void
    ) async throws -> [ModelManifest.File] {
        let readers = try names.map { try FileReader(url: directory.appending(path: $0)) }
        let total = readers.reduce(0) { $0 + Int64($1.size) }
        var done: Int64 = 0
        var files: [ModelManifest.File] = []
        for (name, reader) in zip(names, readers) {
            let target = staging.appending(path: name)
            try StoreLayout.makeFolder(target.deletingLastPathComponent())
            let output = try OutputFile(creating: target)
            let digest = try await ContentHasher.digest(of: reader) { piece in
                try output.write(piece)
                done += Int64(piece.count)
                progress(ImportProgress(stage: .copying, completed: done, total: total))
            }
            try output.finish()
            files.append(ModelManifest.File(name: name, sha256: digest, size: Int64(reader.size)))
        }
        return files
    }

    /// The manifest last: until it is there, the model is not installed, and the next import clears the rest
    /// away.
    func install(_ manifest: ModelManifest, from staging: URL) throws {
        for file in manifest.files {
            try StoreLayout.move(staging.appending(path: file.name), to: layout.blob(file.sha256))
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let temporary = staging.appending(path: "manifest.json")
        let output = try OutputFile(creating: temporary)
        try output.write([UInt8](try encoder.encode(manifest)))
        try output.finish()
        try StoreLayout.move(temporary, to: layout.manifest(manifest.info.id))
    }

    func conflict(_ id: String) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "Another model is installed as \(id).",
            remedy: "Give the new one another id with --id, or first run breeze models remove \(id)."
        )
    }
}
