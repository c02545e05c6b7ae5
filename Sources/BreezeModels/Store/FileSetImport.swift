import BreezeCore
import BreezeFiles
import Foundation

/// The files of a model that is kept as it is: one file, or all of a folder.
struct FileSet {
    let directory: URL
    /// Relative to the folder, sorted.
    let names: [String]

    private static let largestCount = 10_000

    /// - Throws: ``BreezeError`` `.invalidFile` for a folder without files, or with a link or a device in it.
    init(_ location: URL) throws {
        let location = location.standardizedFileURL
        if FileStatus.size(of: location) != nil {
            (directory, names) = (location.deletingLastPathComponent(), [location.lastPathComponent])
            return
        }
        guard let paths = FileManager.default.enumerator(atPath: location.path) else {
            throw FileFault.reading(location, ENOENT)
        }
        var found: [String] = []
        while let path = paths.nextObject() as? String {
            // What tools leave beside a model, such as .git and .DS_Store, is no part of it.
            if path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) { continue }
            var status = stat()
            guard lstat(location.appending(path: path).path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: continue
            case S_IFREG: found.append(path)
            default:
                throw BreezeError(
                    .invalidFile,
                    "\(path.excerpt) in \(location.path) is not a plain file.",
                    remedy: "Replace links by the files themselves."
                )
            }
            guard found.count <= Self.largestCount else {
                throw BreezeError(
                    .invalidFile,
                    "\(location.path) has more than \(Self.largestCount) files.",
                    remedy: "Give the model's own folder."
                )
            }
        }
        guard !found.isEmpty else { throw BreezeError(.invalidFile, "\(location.path) has no files.") }
        (directory, names) = (location, found.sorted())
    }

    var size: Int64 {
        names.reduce(0) { $0 + (FileStatus.size(of: directory.appending(path: $1)) ?? 0) }
    }
}

/// One import of files that stay as they are, with the store's lock held.
struct FileSetImport {
    let store: ModelStore
    let files: FileSet
    let id: String
    let options: ImportOptions
    let progress: @Sendable (ImportProgress) -> Void

    init(
        store: ModelStore,
        files: FileSet,
        id: String,
        _ options: ImportOptions,
        _ progress: @escaping @Sendable (ImportProgress) -> Void
    ) {
        self.store = store
        self.files = files
        self.id = id
        self.options = options
        self.progress = progress
    }

    func run() async throws -> ImportOutcome {
        let installed = try? store.readManifest(id)
        return try await store.withStaging(needed: files.size) { staging in
            let taken = try await store.copy(
                files.names,
                from: files.directory,
                to: staging,
                mode: options.mode,
                progress: progress
            )
            if let installed {
                if installed.files == taken {
                    return ImportOutcome(manifest: installed, alreadyInstalled: true)
                }
                guard options.replaces else { throw store.conflict(id) }
            }
            let info = try info(of: staging, taken)
            try Task.checkCancellation()
            let manifest = ModelManifest(
                schema: ModelManifest.currentSchema,
                info: info,
                files: taken,
                origin: options.origin
            )
            try store.install(manifest, from: staging)
            return ImportOutcome(manifest: manifest, alreadyInstalled: false)
        }
    }

    /// What the files say of themselves; of files that nobody knows, their names and size.
    private func info(of staging: URL, _ taken: [ModelManifest.File]) throws -> ModelInfo {
        let size = taken.reduce(0) { $0 + $1.size }
        let largest = taken.max { $0.size < $1.size }
        let source = options.source ?? files.directory.path
        let place =
            taken.count == 1 ? taken.first.map { staging.appending(path: $0.name) } ?? staging : staging
        guard let metadata = try? MetadataRegistry().metadata(of: place) else {
            return ModelInfo(
                id: id,
                format: .custom("files"),
                size: size,
                license: options.origin?.license.name,
                source: source,
                digest: largest?.sha256
            )
        }
        var info = metadata.modelInfo(id: id, source: source, digest: largest?.sha256)
        info.size = size
        info.license = options.origin?.license.name ?? info.license
        return info
    }
}
