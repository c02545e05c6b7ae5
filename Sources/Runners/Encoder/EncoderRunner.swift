public import BreezeCore
import BreezeOnnxRuntime
import BreezeTokenizers
import Synchronization

/// Embeds and classifies texts with a BERT-family encoder, one text at a time: a text's activations fit the
/// processor's cache, a batch's do not.
public final class EncoderRunner: StreamingRunner {
    public let id: String
    public let supportedCapabilities: [AICapability] = [.embedding, .classification]
    public let loadSettings: LoadSettings
    private let info: ModelInfo
    private let library: @Sendable () throws -> OnnxRuntimeLibrary
    private let assets: @Sendable () async throws -> EncoderAssets
    private let encoder: Mutex<TextEncoder?> = Mutex(nil)
    private let heads = FewShotHeadCache()

    init(
        model: ModelInfo,
        settings: LoadSettings,
        library: @escaping @Sendable () throws -> OnnxRuntimeLibrary,
        assets: @escaping @Sendable () async throws -> EncoderAssets
    ) {
        id = "encoder:\(model.id)"
        info = model
        loadSettings = settings
        self.library = library
        self.assets = assets
    }

    public var model: ModelInfo? { info }

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

    public func availability() async -> Availability {
        do {
            _ = try library()
            return .available
        } catch {
            let fault = error as? BreezeError
            return .unavailable(reason: fault?.message ?? "\(error)", remedy: fault?.remedy)
        }
    }

    public func load() async throws {
        if encoder.withLock({ $0 != nil }) { return }
        let library = try library()
        let assets = try await assets()
        let session = try await OnnxSession.load(library: library, modelPath: assets.graph)
        let loaded = TextEncoder(session: session, assets: assets, limit: info.contextLength)
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
        let job = EncoderJob(
            encoder: encoder,
            request: request,
            sink: sink,
            truncates: request.configuration[parameter: "truncate"]?.boolValue ?? true
        )
        var result = try await request.capability == .classification ? classify(job) : embed(job)
        result.model = info.id
        return result
    }

    private func embed(_ job: EncoderJob) async throws -> InferenceResult {
        var vectors: [[Float]] = []
        var account = EncoderAccount()
        for (index, text) in job.request.texts.enumerated() {
            let vector = try await job.embed(text, name: "Text \(index + 1)", account: &account)
            vectors.append(vector)
            try await job.send(.embedding(index: index, vector: vector))
        }
        return account.result(job.request, .embeddings(vectors), runner: id)
    }

    private func classify(_ job: EncoderJob) async throws -> InferenceResult {
        guard let categories = job.request.categories else {
            throw BreezeError(
                .unsupported,
                "\(id) sorts texts into categories that examples describe, and the request has none.",
                remedy: "Give the request categories with example texts: breeze classify --examples FILE TEXT"
            )
        }
        let key = FewShotHeadCache.Key(categories: categories, truncates: job.truncates)
        let learnt = try await heads.value(for: key) { try await job.learn(categories) }
        var found: [Classification] = []
        // The examples count as input too, also where they were read for an earlier request.
        var account = learnt.account
        for (index, text) in job.request.texts.enumerated() {
            let vector = try await job.embed(text, name: "Text \(index + 1)", account: &account)
            let classification = learnt.head.classify(vector)
            found.append(classification)
            try await job.send(.classification(index: index, classification))
        }
        return account.result(job.request, .classifications(found), runner: id)
    }
}
