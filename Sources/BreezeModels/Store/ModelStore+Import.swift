import BreezeCore
public import Foundation

extension ModelStore {
    /// Installs the encoder in a folder, or the model in a GGUF file: checks it, copies it while hashing, and
    /// makes an encoder's graphs. What is imported is only read. Importing the same content again under the
    /// same id costs hashing it.
    ///
    /// Two processes that import at once: the second waits (a cancelled task stops waiting) and finds it
    /// installed.
    /// - Parameters:
    ///   - location: the model's folder in Hugging Face's layout, or its `.gguf` file.
    ///   - id: lower-case letters, digits, `.`, `-`, `_`; by default made from the folder's or file's name.
    ///   - source: where it came from, for the record; by default its path.
    ///   - memoryLimit: bytes that a running model may take; `nil` for no limit.
    ///   - progress: called from the importing task, often.
    /// - Returns: the installed model, and whether it was there already.
    /// - Throws: ``BreezeError``: `.invalidFile`, `.unsupported`, `.insufficientMemory`, `.insufficientDisk`,
    ///   `.inputOutput`, `.cancelled`; `.invalidParameter` for a bad id or one under which another model is
    ///   installed. The store is then as it was.
    @concurrent
    public func importModel(
        from location: URL,
        id: String? = nil,
        source: String? = nil,
        memoryLimit: Int64? = nil,
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        let source = source ?? location.standardizedFileURL.path
        let (id, run) =
            try Self.isFile(location)
            ? prepareGGUF(location, id: id, source: source, memoryLimit: memoryLimit, progress: progress)
            : prepareEncoder(location, id: id, source: source, memoryLimit: memoryLimit, progress: progress)
        return try await locked(
            "The import of \(id) was cancelled; nothing was installed.",
            onWait: { progress(ImportProgress(stage: .waiting, completed: 0, total: 0)) },
            run
        )
    }

    private typealias Work = (id: String, run: () async throws -> ImportOutcome)

    /// Anything but a folder that calls itself a GGUF file, or begins like one.
    private static func isFile(_ url: URL) -> Bool {
        guard let size = StoreLayout.size(of: url) else { return false }
        if url.pathExtension.lowercased() == "gguf" { return true }
        let start = try? FileReader(url: url).bytes(at: 0, count: Int(min(size, 4)))
        return start == Array("GGUF".utf8)
    }

    private func prepareGGUF(
        _ url: URL,
        id: String?,
        source: String,
        memoryLimit: Int64?,
        progress: @escaping @Sendable (ImportProgress) -> Void
    ) throws -> Work {
        if let id { try ModelIdentifier.check(id) }
        let file = try GGUFCheck.open(url)
        let facts = try GGUFModelFacts(file)
        let id = try id ?? ModelIdentifier.from(file: url, named: facts.name)
        if let memoryLimit { try facts.checkMemory(limit: memoryLimit) }
        let work = GGUFImport(store: self, source: file, id: id, origin: source, progress: progress)
        return (id, { try await work.run() })
    }

    private func prepareEncoder(
        _ directory: URL,
        id: String?,
        source: String,
        memoryLimit: Int64?,
        progress: @escaping @Sendable (ImportProgress) -> Void
    ) throws -> Work {
        let id = try id ?? ModelIdentifier.from(directory)
        try ModelIdentifier.check(id)
        let package = try EncoderPackage(directory: directory)
        if let memoryLimit {
            for graph in package.graphs { try graph.checkMemory(limit: memoryLimit) }
        }
        let work = ModelImport(store: self, package: package, id: id, source: source, progress: progress)
        return (id, { try await work.run() })
    }
}
