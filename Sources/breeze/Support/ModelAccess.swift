import BreezeArchives
import BreezeCatalog
import BreezeCore
import BreezeDownloads
import BreezeEngine
import BreezeModels
import BreezeSecrets
import BreezeTransport
import Foundation

/// The model manager of one call.
struct ModelAccess {
    let store: ModelStore
    let catalog: ModelCatalog
    private let paths: BreezePaths
    private let environment: [String: String]
    private let settings: SettingsStore

    init() throws {
        environment = ProcessInfo.processInfo.environment
        paths = BreezePaths(environment: environment)
        settings = SettingsStore(file: paths.settings, environment: environment, flags: [])
        store = ModelStore(home: paths.data, quota: try settings.current().modelQuota)
        catalog = try ModelCatalog.builtIn()
    }

    /// What leaves the device is refused where the owner forbids it, each time that it would.
    func manager(bytesPerSecond: Int? = nil) throws -> ModelManager {
        let transport = try OutgoingTransport.make(environment: environment, settings: settings)
        var options = DownloadOptions()
        options.bytesPerSecond = bytesPerSecond
        return ModelManager(
            store: store,
            home: paths.data,
            catalog: catalog,
            providers: ProviderRegistry(try providers(transport)),
            transport: transport,
            options: options,
            unpack: Self.unpack
        )
    }

    /// Where this build has libarchive.
    private static let unpack: ArchiveUnpacking? = {
        guard ArchiveExtractor.isAvailable else { return nil }
        return { archive, folder in
            _ = try await ArchiveExtractor.thisProgram.extract(archive, into: folder)
        }
    }()

    private func providers(_ transport: any HTTPTransport) throws -> [any ModelProvider] {
        let secrets = Credentials.service(environment: environment)
        return [
            HuggingFaceProvider(
                transport: transport,
                endpoint: try endpoint("HF_ENDPOINT", "https://huggingface.co")
            ) { try await secrets.credential(for: .huggingFace)?.key.reveal() },
            KaggleProvider(
                transport: transport,
                endpoint: try endpoint("KAGGLE_API_ENDPOINT", "https://www.kaggle.com/api/v1")
            ) {
                guard let values = try await secrets.credential(for: .kaggle)?.values else { return nil }
                return (values[0].reveal(), values[1].reveal())
            },
            AddressProvider(transport: transport), LocalFileProvider(),
        ]
    }

    private func endpoint(_ variable: String, _ usual: String) throws -> URL {
        let text = environment[variable].flatMap { $0.isEmpty ? nil : $0 } ?? usual
        guard let url = URL(string: text), url.host() != nil else {
            throw BreezeError(.invalidSetting, "\(variable) is no address: \(text.prefix(200))")
        }
        return url
    }

    /// What models may take here, and what of it is free now.
    var memory: (device: Int64, budget: Int64, free: Int64) {
        let memory = HardwareDetectors.forThisDevice().memory()
        let device = memory.total ?? 0
        let budget = min(device, memory.limit?.bytes ?? device)
        return (device, budget, min(budget, memory.available ?? budget))
    }

    func fit(of bytes: Int64?) -> ModelFit {
        let (_, budget, free) = memory
        return ModelFit(needed: bytes, free: free, budget: budget)
    }
}

extension ModelFit {
    var words: String {
        switch self {
        case .fits: "fits"
        case .fitsIfOthersLeave: "fits if others leave"
        case .doesNotFit(let needs, let has): "needs \(Quantity.bytes(needs)) of \(Quantity.bytes(has))"
        case .unknown: "need not known"
        }
    }
}
