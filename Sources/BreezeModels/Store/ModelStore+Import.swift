import BreezeCore
import BreezeFiles
public import Foundation

extension ModelStore {
    /// Installs the model in a folder or a file: checks it, takes it in while hashing, and makes an encoder's graphs.
    /// What is imported is only read. Importing the same content again under the same id costs hashing it.
    ///
    /// A `.gguf` file is a model for llama.cpp, a folder in Hugging Face's layout with a BERT-family encoder one for
    /// LiteRT and ONNX Runtime. Everything else that ``FormatDetector`` knows is kept as it is, for the runner that
    /// comes with its framework.
    ///
    /// Two processes that import at once: the second waits (a cancelled task stops waiting) and finds it
    /// installed.
    /// `progress` is called from the importing task, often.
    /// - Returns: the installed model, and whether it was there already.
    /// - Throws: ``BreezeError``: `.invalidFile`, `.unsupported`, `.insufficientMemory`, `.insufficientDisk`,
    ///   `.quotaExceeded`, `.inputOutput`, `.cancelled`; `.invalidParameter` for a bad id or one under which another
    ///   model is installed. The store is then as it was.
    @concurrent
    public func importModel(
        from location: URL,
        _ options: ImportOptions = ImportOptions(),
        progress: @escaping @Sendable (ImportProgress) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        if let id = options.id { try ModelIdentifier.check(id) }
        let work = try prepare(location, options, progress)
        return try await locked(
            "The import of \(work.id) was cancelled; nothing was installed.",
            onWait: { progress(ImportProgress(stage: .waiting, completed: 0, total: 0)) },
            work.run
        )
    }

    private typealias Work = (id: String, run: () async throws -> ImportOutcome)

    private func prepare(
        _ location: URL,
        _ options: ImportOptions,
        _ progress: @escaping @Sendable (ImportProgress) -> Void
    ) throws -> Work {
        if !options.isGeneric {
            if Self.isGGUF(location) { return try prepareGGUF(location, options, progress) }
            let fault: BreezeError
            do { return try prepareEncoder(location, options, progress) } catch let error as BreezeError {
                fault = error
            }
            // What is no encoder may be something else; a damaged encoder's fault is the one to hear of.
            guard let found = try? FormatDetector.detect(location), found.format != .safetensors else {
                throw fault
            }
        }
        let files = try FileSet(location)
        let id = try options.id ?? ModelIdentifier.from(location)
        return (id, { try await FileSetImport(store: self, files: files, id: id, options, progress).run() })
    }

    /// Anything but a folder that calls itself a GGUF file, or begins like one.
    private static func isGGUF(_ url: URL) -> Bool {
        guard let size = FileStatus.size(of: url) else { return false }
        if url.pathExtension.lowercased() == "gguf" { return true }
        let start = try? FileReader(url: url).bytes(at: 0, count: Int(min(size, 4)))
        return start == Array("GGUF".utf8)
    }

    private func prepareGGUF(
        _ url: URL,
        _ options: ImportOptions,
        _ progress: @escaping @Sendable (ImportProgress) -> Void
    ) throws -> Work {
        let file = try GGUFCheck.open(url)
        let facts = try GGUFModelFacts(file)
        let id = try options.id ?? ModelIdentifier.from(file: url, named: facts.name)
        if let limit = options.memoryLimit { try facts.checkMemory(limit: limit) }
        return (id, { try await GGUFImport(store: self, source: file, id: id, options, progress).run() })
    }

    private func prepareEncoder(
        _ directory: URL,
        _ options: ImportOptions,
        _ progress: @escaping @Sendable (ImportProgress) -> Void
    ) throws -> Work {
        let id = try options.id ?? ModelIdentifier.from(directory)
        try ModelIdentifier.check(id)
        let package = try EncoderPackage(directory: directory)
        if let limit = options.memoryLimit {
            for graph in package.graphs { try graph.checkMemory(limit: limit) }
        }
        return (id, { try await ModelImport(store: self, package: package, id: id, options, progress).run() })
    }
}
