public import BreezeCore

/// A registered runner as a person sees it in a list.
public struct RunnerStatus: Codable, Hashable, Sendable {
    public let id: String
    public let capabilities: [AICapability]
    public let model: String?
    public let locality: Locality
    public let availability: Availability
    public let isLoaded: Bool
    /// Its place in memory.
    public let residency: RunnerResidency
    public let isMock: Bool
    public let qualityTier: Int
    /// Bytes while loaded.
    public let memoryEstimate: Int64?
    /// Tokens of input and output together that its model was made for.
    public let contextLength: Int?
    public let concurrency: Int
    /// Requests that have a place now, the stuck ones included.
    public let running: Int
    /// Requests that wait for a place.
    public let waiting: Int
    /// Runs whose caller has gone and that did not end: each holds its place until it does.
    public let stuck: Int
    public let parameters: ParameterSchema

    init(
        _ runner: any Runner,
        availability: Availability,
        residency: RunnerResidency,
        counts: AdmissionQueue.Counts
    ) {
        id = runner.id
        capabilities = runner.supportedCapabilities
        model = runner.model?.id
        locality = runner.locality
        self.availability = availability
        isLoaded = residency.state == .loaded
        self.residency = residency
        isMock = runner.isMock
        qualityTier = runner.qualityTier
        memoryEstimate = runner.memoryEstimate
        contextLength = runner.model?.contextLength
        concurrency = runner.concurrency
        running = counts.running
        waiting = counts.waiting
        stuck = counts.stuck
        parameters = runner.parameterSchema.withoutSecrets
    }
}

extension ParameterSchema {
    fileprivate var withoutSecrets: ParameterSchema {
        ParameterSchema(
            parameters.map { parameter in
                var shown = parameter
                if parameter.isSensitive { shown.defaultValue = nil }
                return shown
            }
        )
    }
}
