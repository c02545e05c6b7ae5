public import BreezeCore

/// What a hosted runner says of itself while no process runs.
public struct WorkerFacts: Sendable {
    public var id: String
    public var supportedCapabilities: [AICapability]
    public var locality: Locality
    public var concurrency: Int
    public var parameterSchema: ParameterSchema
    public var memoryEstimate: Int64?
    public var model: ModelInfo?
    public var loadSettings: LoadSettings
    public var qualityTier: Int
    public var isMock: Bool
    public var reservation: String?
    public var availability: @Sendable () async -> Availability
    public var canRun: @Sendable (InferenceRequest) -> Bool

    /// Those of a runner that is never loaded here: it is asked, and the worker has one like it to do the work.
    public init(of runner: any Runner) {
        id = runner.id
        supportedCapabilities = runner.supportedCapabilities
        locality = runner.locality
        concurrency = runner.concurrency
        parameterSchema = runner.parameterSchema
        memoryEstimate = runner.memoryEstimate
        model = runner.model
        loadSettings = runner.loadSettings
        qualityTier = runner.qualityTier
        isMock = runner.isMock
        reservation = runner.reservation
        availability = { await runner.availability() }
        canRun = { runner.canRun(request: $0) }
    }
}
