import BreezeCore
import BreezeFiles
public import Foundation

extension ModelStore {
    /// The model's graph in one format; made again from the weights where it is missing, was changed, or was
    /// written by another version of Breeze.
    /// - Throws: ``BreezeError``: as ``manifest(for:)``, `.unsupported` for a model without a graph, and what
    ///   writing meets.
    @concurrent
    public func graph(_ format: EncoderGraph.Format, for id: String) async throws -> DerivedFile {
        try await derived(format.fileName, for: id) { manifest, file in
            let graph = try encoderGraph(format, of: manifest)
            try checkDisk(needed: Int64(graph.size))
            try graph.write(to: file)
            return try graph.probe()
        }
    }

    /// A file that a runtime makes from one of the model's graphs, under a name that says which runtime on
    /// which processor: made by `make` under the lock, in a temporary place, where it is missing or was changed.
    /// - Throws: ``BreezeError``, see ``graph(_:for:)``, and what `make` throws.
    @concurrent
    public func derivedFile(
        _ name: String,
        for id: String,
        make: @Sendable (URL) throws -> Void
    ) async throws -> DerivedFile {
        try await derived(name, for: id) { _, file in
            try make(file)
            return nil
        }
    }

    /// Forgets a derived file that turned out to be damaged; the next one who asks makes it again.
    @concurrent
    public func removeDerivedFile(_ file: DerivedFile) async throws {
        try await locked("Cancelled before \(file.url.lastPathComponent) was removed.") {
            // The record first: without it the file counts as missing.
            try? FileManager.default.removeItem(at: DerivedFile.record(of: file.url))
            try? FileManager.default.removeItem(at: file.url)
        }
    }

    private func derived(
        _ name: String,
        for id: String,
        make: (ModelManifest, URL) throws -> EncoderProbe?
    ) async throws -> DerivedFile {
        func folder() throws -> URL {
            let manifest = try manifest(for: id)
            guard let key = manifest.derivedKey else {
                throw BreezeError(.unsupported, "The model \(id) has no graph that Breeze can make.")
            }
            return layout.derived(key)
        }
        if let found = try await DerivedFile.find(at: try folder().appending(path: name)) { return found }
        return try await locked("\(name) of \(id) was not made: cancelled.") {
            let folder = try folder()
            if let found = try await DerivedFile.find(at: folder.appending(path: name)) { return found }
            let staging = layout.temporary.appending(path: UUID().uuidString, directoryHint: .isDirectory)
            try Folder.make(staging)
            defer { try? FileManager.default.removeItem(at: staging) }
            let file = staging.appending(path: name)
            let probe = try make(try manifest(for: id), file)
            return try await DerivedFile.install(file, at: folder.appending(path: name), probe: probe)
        }
    }

    private func encoderGraph(
        _ format: EncoderGraph.Format,
        of manifest: ModelManifest
    ) throws -> EncoderGraph {
        guard let configuration = manifest.encoder,
            let weights = manifest.files.first(where: { $0.name == EncoderPackage.weights })
        else {
            throw BreezeError(
                .unsupported,
                "The model \(manifest.info.id) has no graph that Breeze can make."
            )
        }
        return try EncoderGraph(
            format,
            configuration: configuration,
            weights: try SafetensorsFile(url: layout.blob(weights.sha256)),
            takesPairs: configuration.takesPairs
        )
    }
}
