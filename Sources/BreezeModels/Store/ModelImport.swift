import BreezeCore
import BreezeFiles
import Foundation

/// One import, with the store's lock held.
struct ModelImport {
    let store: ModelStore
    let package: EncoderPackage
    let id: String
    let options: ImportOptions
    let progress: @Sendable (ImportProgress) -> Void

    init(
        store: ModelStore,
        package: EncoderPackage,
        id: String,
        _ options: ImportOptions,
        _ progress: @escaping @Sendable (ImportProgress) -> Void
    ) {
        self.store = store
        self.package = package
        self.id = id
        self.options = options
        self.progress = progress
    }

    private var layout: StoreLayout { store.layout }
    private var name: String { package.directory.standardizedFileURL.lastPathComponent }

    func run() async throws -> ImportOutcome {
        // A damaged one counts as not installed: importing it again is how it is mended.
        if let installed = try? store.readManifest(id) {
            if try await isSame(installed) {
                // Else an earlier Breeze kept less of it, and it is taken in anew.
                if installed.files.count == package.names.count {
                    try await mendGraphs(of: installed)
                    return ImportOutcome(manifest: installed, alreadyInstalled: true)
                }
            } else if !options.replaces {
                throw store.conflict(id)
            }
        }
        return try await store.withStaging(needed: totalSize + package.graphSize) { staging in
            ImportOutcome(manifest: try await makeModel(in: staging), alreadyInstalled: false)
        }
    }

    private func makeModel(in staging: URL) async throws -> ModelManifest {
        let files = try await store.copy(
            package.names,
            from: package.directory,
            to: staging,
            mode: options.mode,
            progress: progress
        )
        // Checked once more as copied: the folder may have changed since.
        let copied = try naming(staging) { try EncoderPackage(directory: staging, name: name) }
        let key = try EncoderPackage.derivedKey(files)
        try await makeGraphs(copied.graphs, key: key, staging: staging)
        let manifest = makeManifest(of: copied, files: files, derivedKey: key)
        try Task.checkCancellation()
        try store.install(manifest, from: staging)
        return manifest
    }

    /// A fault of the copy is the original's, and the copy is gone by the time its name is read.
    private func naming<Value>(_ staging: URL, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as BreezeError {
            throw BreezeError(
                error.code,
                error.message.replacing(staging.path, with: package.directory.path),
                remedy: error.remedy,
                underlying: error.underlying
            )
        }
    }

    private var totalSize: Int64 { size(of: package.names) }

    private func size(of names: [String]) -> Int64 {
        names.reduce(0) { $0 + (FileStatus.size(of: package.directory.appending(path: $1)) ?? 0) }
    }

    /// Whether every file that was kept is there as it was, and none is new but one that was not kept before.
    private func isSame(_ installed: ModelManifest) async throws -> Bool {
        let kept = installed.files.map(\.name)
        let names = package.names.filter { kept.contains($0) || !EncoderPackage.keptLater.contains($0) }
        guard kept == names else { return false }
        let total = size(of: names)
        guard installed.files.reduce(0, { $0 + $1.size }) == total else { return false }
        var done: Int64 = 0
        for file in installed.files {
            let reader = try FileReader(url: package.directory.appending(path: file.name))
            let digest = try await reader.sha256 { piece in
                done += Int64(piece.count)
                progress(ImportProgress(stage: .comparing, completed: done, total: total))
            }
            guard digest == file.sha256 else { return false }
        }
        return true
    }

    /// Importing again mends graphs that were damaged, and makes those that an older Breeze did not.
    private func mendGraphs(of installed: ModelManifest) async throws {
        guard let key = installed.derivedKey else { return }
        var missing: [EncoderGraph] = []
        for graph in package.graphs {
            let file = DerivedFile.read(at: layout.derived(key).appending(path: graph.format.fileName))
            if try await file?.isIntact() != true { missing.append(graph) }
        }
        guard !missing.isEmpty else { return }
        try store.checkDisk(needed: missing.reduce(0) { $0 + Int64($1.size) })
        let staging = layout.temporary.appending(path: UUID().uuidString, directoryHint: .isDirectory)
        try Folder.make(staging)
        defer { try? FileManager.default.removeItem(at: staging) }
        try await makeGraphs(missing, key: key, staging: staging)
    }

    private func makeGraphs(_ graphs: [EncoderGraph], key: String, staging: URL) async throws {
        let total = graphs.reduce(0) { $0 + Int64($1.size) }
        var done: Int64 = 0
        let probe = try naming(staging) { try graphs.first?.probe() }
        for graph in graphs {
            let file = staging.appending(path: graph.format.fileName)
            try naming(staging) {
                try graph.write(to: file) { written in
                    let completed = done + Int64(written)
                    progress(ImportProgress(stage: .converting, completed: completed, total: total))
                }
            }
            done += Int64(graph.size)
            let target = layout.derived(key).appending(path: graph.format.fileName)
            _ = try await DerivedFile.install(file, at: target, probe: probe)
        }
    }

    private func makeManifest(
        of copied: EncoderPackage,
        files: [ModelManifest.File],
        derivedKey: String
    ) -> ModelManifest {
        let configuration = copied.configuration
        let info = ModelInfo(
            id: id,
            name: name,
            format: .safetensors,
            frameworks: [.liteRT, .onnxRuntime],
            capabilities: configuration.capabilities,
            architecture: configuration.architecture.rawValue,
            size: files.reduce(copied.graphSize) { $0 + $1.size },
            estimatedMemory: copied.graphs.map(\.estimatedMemory).max(),
            contextLength: configuration.maximumLength,
            parameterCount: copied.graphs.first.map { Int64($0.parameterCount) },
            quantization: copied.weightType,
            license: options.origin?.license.name ?? LicenseReader.license(in: copied.directory),
            source: options.source ?? package.directory.standardizedFileURL.path,
            digest: files.first { $0.name == EncoderPackage.weights }?.sha256
        )
        return ModelManifest(
            schema: ModelManifest.currentSchema,
            info: info,
            files: files,
            encoder: configuration,
            derivedKey: derivedKey,
            origin: options.origin
        )
    }
}
