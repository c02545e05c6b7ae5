public import BreezeCore
import BreezeModels
import Synchronization

/// Embeds, classifies and ranks texts with a BERT-family encoder, one text at a time on each core: a text's
/// activations fit the processor's cache, a batch's do not.
public final class EncoderRunner: StreamingRunner {
    public let id: String
    public let supportedCapabilities: [AICapability]
    public let loadSettings: LoadSettings
    private let info: ModelInfo
    private let loader: EncoderLoader
    private let encoder: Mutex<TextEncoder?> = Mutex(nil)
    private let heads = FewShotHeadCache()

    init(model: ModelInfo, settings: LoadSettings, store: ModelStore, runtimes: EncoderRuntimes) {
        id = "encoder:\(model.id)"
        info = model
        loadSettings = settings
        supportedCapabilities = Self.capabilities(of: model)
        loader = EncoderLoader(
            id: model.id,
            precision: EncoderPrecision(settings),
            store: store,
            runtimes: runtimes
        )
    }

    static func capabilities(of model: ModelInfo) -> [AICapability] {
        model.capabilities.filter { [.embedding, .classification, .rerank].contains($0) }
    }

    public var model: ModelInfo? { info }

    /// Requests share the workers fairly, so none needs to wait for another's end.
    public var concurrency: Int { 64 }

    public let parameterSchema = ParameterSchema([
        ParameterDescriptor(
            "truncate",
            "Truncate long texts",
            summary:
                "Leave out what is beyond the model's limit and report it; otherwise a long text is an error.",
            kind: .boolean,
            default: true
        )
    ])

    /// A model with labels of its own answers without categories, an embedding model learns the request's.
    public func canRun(request: InferenceRequest) -> Bool {
        guard supportedCapabilities.contains(request.capability) else { return false }
        return request.capability != .classification || supportedCapabilities.contains(.embedding)
            || request.categories == nil
    }

    /// One of the two runtimes is enough.
    public func availability() async -> Availability {
        if (try? loader.runtimes.liteRT()) != nil { return .available }
        do {
            _ = try loader.runtimes.onnxRuntime()
            return .available
        } catch {
            let fault = error as? BreezeError
            return .unavailable(reason: fault?.message ?? "\(error)", remedy: fault?.remedy)
        }
    }

    public func load() async throws {
        if encoder.withLock({ $0 != nil }) { return }
        let loaded = try await loader.load()
        encoder.withLock { $0 = $0 ?? loaded }
    }

    /// A run in progress keeps what it uses, and ends well.
    public func unload() async {
        encoder.withLock { $0 = nil }
        heads.removeAll()
    }

    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        guard let encoder = encoder.withLock({ $0 }) else {
            throw BreezeError(.loadFailed, "\(id) is not loaded.", remedy: "Load it first.")
        }
        let job = EncoderJob(encoder: encoder, request: request, sink: sink)
        let (output, account) =
            switch request.capability {
            case .classification: try await classify(job)
            case .rerank: try await job.rank()
            default: try await job.embed()
            }
        var result = account.result(request, output, runner: id)
        result.model = info.id
        result.runtime = encoder.pool.backend.name
        if let notice = encoder.notice { result.notices.append(notice) }
        if let fault = encoder.pool.fault {
            result.notices.append(
                "Fewer workers than cores encode: \((fault as? BreezeError)?.message ?? "\(fault)")"
            )
        }
        return result
    }

    private func classify(_ job: EncoderJob) async throws -> (InferenceOutput, EncoderAccount) {
        if let head = job.encoder.configuration.head {
            return try await job.classify { head.classify($0) }
        }
        guard let categories = job.request.categories else {
            throw BreezeError(
                .unsupported,
                "\(id) sorts texts into categories that examples describe, and the request has none.",
                remedy: "Give the request categories with example texts: breeze classify --examples FILE TEXT"
            )
        }
        let key = FewShotHeadCache.Key(categories: categories, truncates: job.truncates)
        let learnt = try await heads.value(for: key) { try await job.learn(categories) }
        // The examples count as input too, also where they were read for an earlier request.
        return try await job.classify(account: learnt.account) { learnt.head.classify($0) }
    }
}
