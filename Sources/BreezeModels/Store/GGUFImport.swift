import BreezeCore
import BreezeFiles
import Foundation

/// One import of a GGUF file, with the store's lock held.
struct GGUFImport {
    let store: ModelStore
    let source: GGUFFile
    let id: String
    let options: ImportOptions
    let progress: @Sendable (ImportProgress) -> Void

    init(
        store: ModelStore,
        source: GGUFFile,
        id: String,
        _ options: ImportOptions,
        _ progress: @escaping @Sendable (ImportProgress) -> Void
    ) {
        self.store = store
        self.source = source
        self.id = id
        self.options = options
        self.progress = progress
    }

    /// What the store calls the file; the end of the name tells runners what it is.
    private var name: String {
        let name = source.url.lastPathComponent
        return name.lowercased().hasSuffix(".gguf") ? name : name + ".gguf"
    }

    func run() async throws -> ImportOutcome {
        // A damaged one counts as not installed: importing it again is how it is mended.
        if let installed = try? store.readManifest(id) {
            if try await isSame(installed) {
                return ImportOutcome(manifest: installed, alreadyInstalled: true)
            }
            guard options.replaces else { throw store.conflict(id) }
        }
        return try await store.withStaging(needed: Int64(source.size)) { staging in
            let directory = source.url.deletingLastPathComponent()
            let original = source.url.lastPathComponent
            let copied = try await store.copy(
                [original],
                from: directory,
                to: staging,
                mode: options.mode,
                progress: progress
            )
            guard let digest = copied.first else {
                throw BreezeError(.internalError, "\(source.url.path) was not copied.")
            }
            if name != original {
                try WholeFile.move(staging.appending(path: original), to: staging.appending(path: name))
            }
            let file = ModelManifest.File(name: name, sha256: digest.sha256, size: digest.size)
            let manifest = try makeManifest(of: staging, file)
            try Task.checkCancellation()
            try store.install(manifest, from: staging)
            return ImportOutcome(manifest: manifest, alreadyInstalled: false)
        }
    }

    private func isSame(_ installed: ModelManifest) async throws -> Bool {
        guard installed.info.format == .gguf, let file = installed.files.first,
            installed.files.count == 1, file.size == Int64(source.size)
        else { return false }
        var done: Int64 = 0
        let digest = try await FileReader(url: source.url).sha256 { piece in
            done += Int64(piece.count)
            progress(ImportProgress(stage: .comparing, completed: done, total: file.size))
        }
        return digest == file.sha256
    }

    /// By the copy, checked once more: the file may have changed since.
    private func makeManifest(of staging: URL, _ file: ModelManifest.File) throws -> ModelManifest {
        let facts: GGUFModelFacts
        do {
            facts = try GGUFModelFacts(GGUFCheck.open(staging.appending(path: file.name)))
        } catch let error as BreezeError {
            // A fault of the copy is the original's, and the copy is gone by the time its name is read.
            let message = error.message.replacing(
                staging.appending(path: file.name).path,
                with: source.url.path
            )
            throw BreezeError(error.code, message, remedy: error.remedy, underlying: error.underlying)
        }
        let info = ModelInfo(
            id: id,
            name: facts.name?.excerpt ?? source.url.deletingPathExtension().lastPathComponent,
            format: .gguf,
            frameworks: [.llamaCpp],
            capabilities: facts.capabilities,
            architecture: facts.architecture,
            size: file.size,
            estimatedMemory: facts.memory(context: GGUFModelFacts.usualContext).total,
            contextLength: facts.contextLength,
            parameterCount: facts.parameterCount,
            quantization: facts.quantization,
            license: options.origin?.license.name ?? facts.license,
            source: options.source ?? source.url.standardizedFileURL.path,
            digest: file.sha256
        )
        return ModelManifest(
            schema: ModelManifest.currentSchema,
            info: info,
            files: [file],
            gguf: facts,
            origin: options.origin
        )
    }
}

extension GGUFModelFacts {
    /// The context by which a model's need of memory is told before anybody chose one.
    public static let usualContext = 4_096
    /// The least that a model is any good with.
    private static let leastContext = 512

    /// - Throws: ``BreezeError`` `.insufficientMemory` where even a short context passes `limit` bytes.
    func checkMemory(limit: Int64) throws {
        let needed = memory(context: Self.leastContext, microBatch: 64).total
        guard needed > limit else { return }
        throw BreezeError(
            .insufficientMemory,
            "The model needs about \(needed >> 20) MiB of memory; \(limit >> 20) MiB are there.",
            remedy: "Close other programs, or choose a smaller model or a smaller quantisation."
        )
    }
}
