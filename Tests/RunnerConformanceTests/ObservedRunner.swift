import BreezeCore
import Synchronization

/// Passes everything on to another runner and counts what happens to it.
final class ObservedRunner: StreamingRunner {
    private let wrapped: any Runner
    private let loadCount = Mutex(0)
    private let chunkCount = Mutex(0)

    init(_ wrapped: any Runner) {
        self.wrapped = wrapped
    }

    var loads: Int { loadCount.withLock { $0 } }
    /// Chunks that the runner has handed over, whether or not anybody has read them.
    var chunks: Int { chunkCount.withLock { $0 } }

    var id: String { wrapped.id }
    var supportedCapabilities: [AICapability] { wrapped.supportedCapabilities }
    var locality: Locality { wrapped.locality }
    var concurrency: Int { wrapped.concurrency }
    var parameterSchema: ParameterSchema { wrapped.parameterSchema }
    var memoryEstimate: Int64? { wrapped.memoryEstimate }
    var model: ModelInfo? { wrapped.model }
    var loadSettings: LoadSettings { wrapped.loadSettings }
    var qualityTier: Int { wrapped.qualityTier }
    var isMock: Bool { wrapped.isMock }

    func availability() async -> Availability { await wrapped.availability() }
    func canRun(request: InferenceRequest) -> Bool { wrapped.canRun(request: request) }

    func load() async throws {
        loadCount.withLock { $0 += 1 }
        try await wrapped.load()
    }

    func unload() async { await wrapped.unload() }

    func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        let counting = ChunkSink { [self] chunk in
            try await sink.send(chunk)
            chunkCount.withLock { $0 += 1 }
        }
        return try await wrapped.stream(request, into: counting)
    }
}
