public import BreezeCore

/// What the router knows of one runner while it decides.
public struct RunnerFacts: Hashable, Sendable {
    public var id: String
    public var backend: String
    public var modelID: String?
    public var locality: Locality
    public var availability: Availability
    /// The runner's own ``Runner/canRun(request:)`` for this request.
    public var canRun: Bool
    public var isLoaded: Bool
    public var isMock: Bool
    /// Bytes that it would have to take, as estimated or as measured where that is more; `nil` where nobody knows,
    /// and where it has them already.
    public var memoryEstimate: Int64?
    public var qualityTier: Int
    /// ``Runner/reservation``.
    public var reservation: String?

    public init(
        id: String,
        backend: String? = nil,
        modelID: String? = nil,
        locality: Locality = .onDevice,
        availability: Availability = .available,
        canRun: Bool = true,
        isLoaded: Bool = false,
        isMock: Bool = false,
        memoryEstimate: Int64? = nil,
        qualityTier: Int = 5,
        reservation: String? = nil
    ) {
        self.id = id
        self.backend = backend ?? String(id.prefix { $0 != ":" })
        self.modelID = modelID
        self.locality = locality
        self.availability = availability
        self.canRun = canRun
        self.isLoaded = isLoaded
        self.isMock = isMock
        self.memoryEstimate = memoryEstimate
        self.qualityTier = qualityTier
        self.reservation = reservation
    }

    /// Whether `name` (a runner, a backend or a model) means it.
    func isNamed(_ name: String?) -> Bool { name.map { [id, backend, modelID].contains($0) } ?? false }
}

/// What a decision depends on beside the request: the same context always gives the same decision.
public struct RoutingContext: Sendable {
    /// The runners of the capability, in the order of registration.
    public var runners: [RunnerFacts]
    /// The runner, backend or model that the user's settings name for the capability.
    public var preferred: String?
    /// The network runners (ids or backends) that the user consented to.
    public var consents: Set<String>
    public var isOffline: Bool
    /// Bytes that a model could have, counting those of idle ones that would go for it; `nil` where unknown.
    public var availableMemory: Int64?
    /// What keeps the rest, for a person; `nil` where nothing of ours does.
    public var memoryHolders: String?

    public init(
        runners: [RunnerFacts],
        preferred: String? = nil,
        consents: Set<String> = [],
        isOffline: Bool = false,
        availableMemory: Int64? = nil,
        memoryHolders: String? = nil
    ) {
        self.runners = runners
        self.preferred = preferred
        self.consents = consents
        self.isOffline = isOffline
        self.availableMemory = availableMemory
        self.memoryHolders = memoryHolders
    }
}
