import BreezeCore
import Synchronization

/// A runner that does what a test tells it, counts what the engine does to it, and refuses to run unloaded.
final class ScriptedRunner: StreamingRunner {
    struct Counts: Equatable {
        var loads = 0
        var runs = 0
        var unloads = 0
        /// Questions that it was asked: whether it can run a request, whether it is available.
        var questions = 0
        var overlapping = 0
        var mostOverlapping = 0
    }

    let id: String
    let supportedCapabilities: [AICapability]
    let locality: Locality
    let concurrency: Int
    let parameterSchema: ParameterSchema
    let model: ModelInfo?
    let memoryEstimate: Int64?
    let qualityTier: Int
    let isMock: Bool
    private let canRun: Bool
    private let state: Mutex<Availability>
    private let tally = Mutex(Counts())
    private let isLoaded = Mutex(false)
    private let loadSteps: Int
    private let onLoad: @Sendable () async throws -> Void
    private let onRun: @Sendable (InferenceRequest, ChunkSink) async throws -> String

    init(
        _ id: String,
        _ capabilities: [AICapability] = [.chat],
        locality: Locality = .onDevice,
        concurrency: Int = 1,
        schema: ParameterSchema = ParameterSchema(),
        model: ModelInfo? = nil,
        memoryEstimate: Int64? = nil,
        qualityTier: Int = 5,
        isMock: Bool = false,
        canRun: Bool = true,
        availability: Availability = .available,
        loadSteps: Int = 0,
        onLoad: @escaping @Sendable () async throws -> Void = {},
        onRun: @escaping @Sendable (InferenceRequest, ChunkSink) async throws -> String = { _, _ in "" }
    ) {
        self.id = id
        supportedCapabilities = capabilities
        self.locality = locality
        self.concurrency = concurrency
        parameterSchema = schema
        self.model = model
        self.memoryEstimate = memoryEstimate
        self.qualityTier = qualityTier
        self.isMock = isMock
        self.canRun = canRun
        state = Mutex(availability)
        self.loadSteps = loadSteps
        self.onLoad = onLoad
        self.onRun = onRun
    }

    var counts: Counts { tally.withLock { $0 } }

    func become(_ availability: Availability) { state.withLock { $0 = availability } }

    func availability() async -> Availability {
        tally.withLock { $0.questions += 1 }
        return state.withLock { $0 }
    }

    func canRun(request: InferenceRequest) -> Bool {
        tally.withLock { $0.questions += 1 }
        return canRun && supportedCapabilities.contains(request.capability)
    }

    func load() async throws { try await load { _ in } }

    /// Tells of `loadSteps` steps, then does what it was given to do.
    func load(onProgress: @escaping LoadProgress) async throws {
        tally.withLock { $0.loads += 1 }
        for step in 0..<loadSteps {
            onProgress(.init(stage: "loading", completed: step + 1, total: loadSteps))
        }
        try await onLoad()
        isLoaded.withLock { $0 = true }
    }

    func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        tally.withLock { counts in
            counts.runs += 1
            counts.overlapping += 1
            counts.mostOverlapping = max(counts.mostOverlapping, counts.overlapping)
        }
        defer { tally.withLock { $0.overlapping -= 1 } }
        guard isLoaded.withLock({ $0 }) else { throw BreezeError(.loadFailed, "\(id) was run unloaded") }
        let text = try await onRun(request, sink)
        return InferenceResult(requestID: request.id, output: .text(text), runner: id, model: model?.id)
    }

    func unload() async {
        isLoaded.withLock { $0 = false }
        tally.withLock { $0.unloads += 1 }
    }
}
