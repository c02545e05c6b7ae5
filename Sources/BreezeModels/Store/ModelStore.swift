public import BreezeCore
import BreezeFiles
public import Foundation

extension BreezeError.Code {
    /// Somebody runs the model just now.
    public static let modelInUse = Self(rawValue: "model_in_use")
    /// The store may not grow any further.
    public static let quotaExceeded = Self(rawValue: "quota_exceeded")
}

/// The installed models: content-addressed blobs, one small manifest a model, and graphs made from them.
///
/// Every change is made under one lock for all processes, in temporary files that are synced and renamed, the
/// manifest last. So a reader needs no lock: what it finds is whole.
public struct ModelStore: Sendable {
    let layout: StoreLayout
    /// Bytes that may still be written where a folder lies; `nil` where the system does not say.
    let freeBytes: @Sendable (URL) -> Int64?
    /// Bytes that the store may take in all; `nil` is as many as the disk has.
    public let quota: Int64?

    /// `home` is Breeze's data folder; it need not exist. The store is its folder `models`.
    public init(home: URL, quota: Int64? = nil) {
        self.init(home: home, quota: quota, freeBytes: { DiskSpace.freeBytes(at: $0) })
    }

    init(home: URL, quota: Int64? = nil, freeBytes: @escaping @Sendable (URL) -> Int64?) {
        self.layout = StoreLayout(home: home)
        self.quota = quota
        self.freeBytes = freeBytes
    }

    /// All installed models by id. A damaged manifest hides nothing but its own model.
    /// - Throws: ``BreezeError`` where the store's folder cannot be read.
    public func list() throws -> ModelListing {
        var listing = ModelListing(models: [], damaged: [])
        for id in try installedIDs() {
            do {
                listing.models.append(try readManifest(id))
            } catch let error as BreezeError {
                listing.damaged.append(ModelListing.Damage(id: id, reason: error.message))
            }
        }
        return listing
    }

    /// - Throws: ``BreezeError`` `.unknownModel` with the nearest id as its remedy, `.invalidFile` for a
    ///   damaged one.
    public func manifest(for id: String) throws -> ModelManifest {
        let ids = try installedIDs()
        guard ids.contains(id) else { throw unknown(id, among: ids) }
        return try readManifest(id)
    }

    /// The files of an installed model.
    /// - Throws: ``BreezeError``, see ``manifest(for:)``.
    public func files(for id: String) throws -> ModelFiles {
        let manifest = try manifest(for: id)
        let files = manifest.files.map { ($0.name, layout.blob($0.sha256)) }
        return ModelFiles(manifest: manifest, files: Dictionary(files) { first, _ in first })
    }

    /// Removes the model, and every file that no other model uses.
    /// - Returns: bytes freed.
    /// - Throws: ``BreezeError`` `.unknownModel`, `.modelInUse`, or what removing meets.
    @concurrent
    @discardableResult
    public func remove(_ id: String) async throws -> Int64 {
        let ids = try installedIDs()
        guard ids.contains(id) else { throw unknown(id, among: ids) }
        return try await locked("The removal of \(id) was cancelled; nothing was removed.") {
            try checkUnused(id)
            let url = layout.manifest(id)
            let size = (FileStatus.size(of: url) ?? 0) + (FileStatus.size(of: layout.previous(id)) ?? 0)
            // What it was before it was replaced goes with it.
            unlink(layout.previous(id).path)
            // Another process may have removed it while this one waited for the lock.
            guard unlink(url.path) == 0 else {
                if errno == ENOENT { throw unknown(id, among: try installedIDs()) }
                throw FileFault.writing(url, errno)
            }
            try Folder.sync(layout.manifests)
            return size + collectGarbage()
        }
    }

    /// Runs `body` as the only one that changes the store, after the leftovers of processes that died are
    /// gone.
    func locked<Answer>(
        _ cancelled: String,
        onWait: () -> Void = {},
        _ body: () async throws -> Answer
    ) async throws -> Answer {
        do {
            try layout.create()
            var waits = false
            let lock = try await FileLock.acquire(
                layout.lock,
                onWait: {
                    if !waits { onWait() }
                    waits = true
                }
            )
            defer { lock.release() }
            for leftover in StoreLayout.contents(of: layout.temporary) {
                try? FileManager.default.removeItem(at: leftover)
            }
            return try await body()
        } catch is CancellationError {
            throw BreezeError(.cancelled, cancelled)
        }
    }

    /// A process that has the model's files open would keep their space taken, unseen.
    private func checkUnused(_ id: String) throws {
        guard let manifest = try? readManifest(id),
            manifest.files.contains(where: { FileLease.isHeld(layout.blob($0.sha256)) })
        else { return }
        throw BreezeError(
            .modelInUse,
            "The model \(id) is loaded in a running Breeze.",
            remedy: "Unload it there (breeze unload), or end that program, then try again."
        )
    }

    func unknown(_ id: String, among ids: [String]) -> BreezeError {
        let nearest = nearestName(to: id, in: ids).map { "Did you mean \($0)?" }
        return BreezeError(
            .unknownModel,
            "No model \"\(id.excerpt)\" is installed.",
            remedy: nearest ?? "See breeze models list, or install one with breeze models import."
        )
    }
}
