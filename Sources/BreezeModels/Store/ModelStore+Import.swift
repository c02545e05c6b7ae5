import BreezeCore
public import Foundation

extension ModelStore {
    /// Installs the encoder in a folder: checks it, copies it while hashing, and makes its graphs. The
    /// folder is only read. Importing the same content again under the same id costs hashing it.
    ///
    /// Two processes that import at once: the second waits (a cancelled task stops waiting) and finds it
    /// installed.
    /// - Parameters:
    ///   - directory: the model's folder in Hugging Face's layout.
    ///   - id: lower-case letters, digits, `.`, `-`, `_`; by default made from the folder's name.
    ///   - source: where the folder came from, for the record; by default its path.
    ///   - memoryLimit: bytes that a running model may take; `nil` for no limit.
    ///   - progress: called from the importing task, often.
    /// - Returns: the installed model, and whether it was there already.
    /// - Throws: ``BreezeError``: `.invalidFile`, `.unsupported`, `.insufficientMemory`, `.insufficientDisk`,
    ///   `.inputOutput`, `.cancelled`; `.invalidParameter` for a bad id or one under which another model is
    ///   installed. The store is then as it was.
    @concurrent
    public func importModel(
        from directory: URL,
        id: String? = nil,
        source: String? = nil,
        memoryLimit: Int64? = nil,
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        let id = try id ?? ModelIdentifier.from(directory)
        try ModelIdentifier.check(id)
        let package = try EncoderPackage(directory: directory)
        if let memoryLimit {
            for graph in package.graphs { try graph.checkMemory(limit: memoryLimit) }
        }
        let work = ModelImport(
            store: self,
            package: package,
            id: id,
            source: source ?? directory.standardizedFileURL.path,
            progress: progress
        )
        return try await locked(
            "The import of \(id) was cancelled; nothing was installed.",
            onWait: { progress(ImportProgress(stage: .waiting, completed: 0, total: 0)) },
            { try await work.run() }
        )
    }
}
