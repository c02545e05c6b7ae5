public import BreezeCore
public import BreezeDownloads
public import BreezeModels
public import BreezeTransport
public import Foundation
import Synchronization

/// Finds models, brings them in, and is rid of them again: the catalog, the providers and the store as one.
public struct ModelManager: Sendable {
    public let store: ModelStore
    public let catalog: ModelCatalog
    public let providers: ProviderRegistry
    private let transport: any HTTPTransport
    private let downloader: Downloader
    private let digests: KnownDigests
    private let installer: ModelInstaller

    /// `home` is Breeze's data folder, the one that the store was made with. Without `unpack`, archives are kept as
    /// they are.
    public init(
        store: ModelStore,
        home: URL,
        catalog: ModelCatalog,
        providers: ProviderRegistry,
        transport: any HTTPTransport,
        options: DownloadOptions = DownloadOptions(),
        environment: DownloadEnvironment = DownloadEnvironment(),
        unpack: ArchiveUnpacking? = nil
    ) {
        self.store = store
        self.catalog = catalog
        self.providers = providers
        self.transport = transport
        installer = ModelInstaller(store: store, unpack: unpack)
        downloader = Downloader(transport: transport, options: options, environment: environment)
        digests = KnownDigests(file: home.appending(path: "models/digests.json"))
    }

    /// What can be had and what is there, by id: installed ones first.
    public func availableModels() throws -> [AvailableModel] {
        let installed = try store.list().models
        let ids = Set(installed.map(\.info.id))
        let unfinished = Set(store.unfinishedDownloads())
        return installed.map { AvailableModel(info: $0.info, license: $0.license, state: .installed) }
            + catalog.entries.filter { !ids.contains($0.id) }.map { entry in
                let isBegun = unfinished.contains { $0.hasPrefix(entry.id) }
                return AvailableModel(
                    info: entry.info,
                    license: entry.terms,
                    state: isBegun ? .unfinished : .available
                )
            }
    }

    // MARK: Downloading

    /// Looks the model up: an id of the catalog, or what ``ModelReference/init(parsing:)`` reads. Nothing is fetched.
    /// - Throws: ``BreezeError``: what the provider says, `.integrity` where its file is not the one that the catalog
    ///   pins.
    public func plan(_ model: String, id: String? = nil, sha256: String? = nil) async throws -> PullPlan {
        if let entry = catalog.entry(model) {
            let found = try await providers.provider(entry.provider).resolve(entry.reference)
            return PullPlan(id: id ?? entry.id, package: try entry.pinning(found), entry: entry)
        }
        let reference: ModelReference
        do { reference = try ModelReference(parsing: model) } catch {
            let near =
                nearestName(to: model, in: catalog.entries.map(\.id)).map { "Did you mean \($0)? " } ?? ""
            throw BreezeError(
                .unknownModel,
                "The catalog has no model \"\(model.prefix(200))\".",
                remedy: near
                    + "See breeze models search, or name one as hf:OWNER/NAME or by its https:// address."
            )
        }
        let provider: any ModelProvider =
            reference.provider == "url"
            ? AddressProvider(transport: transport, sha256: sha256)
            : try await providers.provider(reference.provider)
        var package = try await provider.resolve(reference)
        if let sha256, package.files.count == 1 { package.files[0].sha256 = sha256.lowercased() }
        return PullPlan(id: id ?? package.suggestedID, package: package)
    }

    /// Fetches a model and installs it. What was fetched before, by whichever process, is not fetched again.
    /// `progress` is called ten times a second at most, from any thread.
    /// - Returns: the installed model.
    /// - Throws: ``BreezeError``: `.termsNotAccepted`, what ``Downloader/run(_:into:unless:progress:then:)`` and
    ///   ``ModelStore/importModel(from:_:progress:)`` throw; `CancellationError`. What came stays for the next call.
    @discardableResult
    public func pull(
        _ plan: PullPlan,
        accepting acceptance: TermsAcceptance,
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        try acceptance.check(plan)
        try checkPlace(of: plan)
        if plan.package.offer.reference.provider == "file" {
            let location = URL(fileURLWithPath: plan.package.offer.reference.repository)
            return try await store.importModel(
                from: location,
                ImportOptions(id: plan.id, replaces: plan.replaces)
            )
        }
        let provider = plan.package.offer.reference.provider
        let expected = expecting(plan)
        let download = try await providers.provider(provider).downloadModel(expected)
        let staging = try store.downloadFolder(for: plan.folder)
        try StagingFolder(staging).setOrder(nil)
        try remember(plan)
        let (store, digests, installer) = (store, digests, installer)
        let latest = Mutex<DownloadProgress?>(nil)
        // Whatever is left of a download that failed can be gone on with; of one that left nothing, nothing stays.
        defer { if !store.unfinishedDownloads().contains(plan.folder) { forget(plan.folder) } }
        let outcome = try await downloader.run(
            DownloadPlan(
                id: plan.id,
                files: download.files,
                authorization: download.authorization,
                purpose: download.purpose
            ),
            into: staging,
            progress: { step in
                latest.withLock { $0 = step }
                progress(step)
            },
            unless: { Self.isInstalled(plan, expected, in: store) },
            then: { files in
                try digests.remember(
                    Dictionary(files.map { (KnownDigests.key(plan, $0.name), $0.sha256) }) { first, _ in first
                    }
                )
                try await installer.install(plan, from: staging) { stage in
                    if let step = latest.withLock({ $0 }) { progress(step.entering(stage)) }
                }
            }
        )
        forget(plan.folder)
        return ImportOutcome(
            manifest: try store.manifest(for: plan.id),
            alreadyInstalled: outcome == .alreadyDone
        )
    }

    /// Fetches a model of the catalog, or one that ``ModelReference/init(parsing:)`` reads, for a program whose user has
    /// accepted its terms already.
    @discardableResult
    public func downloadModel(
        id: String,
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in }
    ) async throws -> ImportOutcome {
        try await pull(try await plan(id), accepting: TermsAcceptance(terms: true), progress: progress)
    }

    /// Files whose digest nobody states are held against what they were the first time.
    private func expecting(_ plan: PullPlan) -> ModelPackage {
        var package = plan.package
        for index in package.files.indices where package.files[index].sha256 == nil {
            package.files[index].sha256 = digests[KnownDigests.key(plan, package.files[index].name)]
        }
        return package
    }

    private static func isInstalled(_ plan: PullPlan, _ expected: ModelPackage, in store: ModelStore) -> Bool
    {
        guard let manifest = try? store.manifest(for: plan.id), manifest.origin == plan.origin else {
            return false
        }
        let digests = Set(manifest.files.map(\.sha256))
        return expected.files.allSatisfy { $0.sha256.map(digests.contains) ?? false }
    }

    /// Before the first byte, and not after the last one.
    private func checkPlace(of plan: PullPlan) throws {
        guard !plan.replaces, let installed = try? store.manifest(for: plan.id),
            installed.origin != plan.origin
        else {
            return
        }
        throw BreezeError(
            .invalidParameter,
            "Another model is installed as \(plan.id).",
            remedy:
                "Give the new one another id with --name, or put it in the old one's place with --replace."
        )
    }

    // MARK: Downloads that are not over

    private func planFile(_ folder: String) throws -> URL {
        try store.downloadFolder(for: folder).appendingPathExtension("json")
    }

    private func remember(_ plan: PullPlan) throws {
        let file = try planFile(plan.folder)
        do {
            try JSONEncoder().encode(plan).write(to: file, options: .atomic)
            chmod(file.path, 0o600)
        } catch {
            throw BreezeError(.inputOutput, "\(file.path) cannot be written.", underlying: error)
        }
    }

    private func forget(_ folder: String) {
        guard let staging = try? store.downloadFolder(for: folder), let file = try? planFile(folder) else {
            return
        }
        try? FileManager.default.removeItem(at: staging)
        try? FileManager.default.removeItem(at: file)
    }

    /// Downloads that were begun and are not over, of this process or another one.
    public func unfinished() -> [PullPlan] {
        store.unfinishedDownloads().compactMap { folder in
            guard let file = try? planFile(folder), let data = try? Data(contentsOf: file) else { return nil }
            return try? JSONDecoder().decode(PullPlan.self, from: data)
        }
    }

    /// - Throws: ``BreezeError`` `.unknownModel` where no download of that id is under way.
    public func unfinished(_ id: String) throws -> PullPlan {
        let all = unfinished()
        if let plan = all.first(where: { $0.id == id }) { return plan }
        throw BreezeError(
            .unknownModel,
            "No download of \(id) is under way.",
            remedy: all.isEmpty
                ? "See breeze models list." : "Under way: \(all.map(\.id).joined(separator: ", "))"
        )
    }

    /// Bytes of an unfinished download that are there.
    public func received(_ plan: PullPlan) -> Int64 {
        guard let folder = try? store.downloadFolder(for: plan.folder) else { return 0 }
        return StagingFolder(folder).bytes
    }

    /// Has whichever process downloads the model stop, and keeps what is there.
    public func pause(_ id: String) throws { try order(.pause, unfinished(id)) }

    /// Has whichever process downloads the model stop, and removes what is there.
    public func cancel(_ id: String) async throws {
        let plan = try unfinished(id)
        try order(.cancel, plan)
        // Where nobody was at it, nobody else will empty it: whoever is, obeys within a second and leaves the rest.
        // No byte is fetched: the order comes first.
        _ = try? await downloader.run(
            DownloadPlan(id: plan.id, files: plan.package.downloads),
            into: try store.downloadFolder(for: plan.folder)
        )
        forget(plan.folder)
    }

    private func order(_ order: StagingFolder.Order, _ plan: PullPlan) throws {
        try StagingFolder(try store.downloadFolder(for: plan.folder)).setOrder(order)
    }

    // MARK: What is there

    /// - Returns: bytes freed.
    @discardableResult
    public func deleteModel(id: String) async throws -> Int64 { try await store.remove(id) }

    public func storageUsage() throws -> StoreUsage { try store.usage() }

    /// Whether a file's bytes have the digest.
    @concurrent
    public func verifyIntegrity(path: URL, sha256: String) async throws -> Bool {
        try await ModelStore.sha256(of: path) == sha256.lowercased()
    }

    /// The file to open of an installed model, `nil` where it is not installed: its weights, or the first of them.
    public func downloadedModelPath(variant: String) throws -> URL? {
        guard let files = try? store.files(for: variant) else { return nil }
        let digest = files.manifest.info.digest
        return files.manifest.files.first { $0.sha256 == digest }.flatMap { files.files[$0.name] }
    }
}

/// A model that is installed, or can be.
public struct AvailableModel: Codable, Hashable, Sendable {
    public enum State: String, Codable, Sendable {
        case installed
        /// A download of it was begun.
        case unfinished
        case available
    }

    public var info: ModelInfo
    public var license: ModelLicense
    public var state: State
}

extension CatalogEntry {
    /// The provider's package, held against what the catalog pins, which outranks it.
    func pinning(_ package: ModelPackage) throws -> ModelPackage {
        var package = package
        for (index, file) in package.files.enumerated() {
            guard let pinned = files.first(where: { $0.path == file.name }) else { continue }
            if let wanted = pinned.sha256, let stated = file.sha256, wanted != stated {
                throw BreezeError(
                    .integrity,
                    "\(package.offer.name) has another \(file.name) than the one that the catalog knows.",
                    remedy: "Do not use it before somebody has looked. What was expected: sha256 \(wanted)"
                )
            }
            package.files[index].sha256 = pinned.sha256 ?? file.sha256
            package.files[index].size = file.size ?? pinned.size
        }
        return package
    }
}
