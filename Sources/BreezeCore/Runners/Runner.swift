/// One backend bound to one model, or to none where the backend is a service of the system or a mock.
///
/// The engine promises: ``load()`` has returned before ``run(request:)`` is called, two loads never overlap,
/// at most ``concurrency`` runs overlap, and the request's configuration holds the values that are in force
/// after all three tiers. A runner that streams conforms to ``StreamingRunner``.
public protocol Runner: Sendable {
    /// `backend:model`, or `backend` alone for a runner without a model. Unique within a registry.
    var id: String { get }

    var supportedCapabilities: [AICapability] { get }

    /// Whether it can answer this request, as far as the request itself tells: no file is read, nothing
    /// loaded.
    func canRun(request: InferenceRequest) -> Bool

    /// Makes the model ready. Does nothing where it is ready already; does not block its caller's actor.
    func load() async throws

    /// Answers. Cancelling the surrounding task ends it within a bounded number of steps of work.
    func run(request: InferenceRequest) async throws -> InferenceResult

    /// Gives the memory back. A run in progress either ends well first or fails with a ``BreezeError``.
    func unload() async

    // What follows has defaults.

    /// As ``load()``, and says on its way how far it is; `onProgress` is called on no particular thread.
    func load(onProgress: @escaping LoadProgress) async throws

    var locality: Locality { get }

    /// How many runs may overlap.
    var concurrency: Int { get }

    var parameterSchema: ParameterSchema { get }

    /// Bytes it needs while loaded; `nil` where nobody knows.
    var memoryEstimate: Int64? { get }

    /// Whether it could load and run now. May look at the file system; is asked seldom, and again when
    /// something changed.
    func availability() async -> Availability

    /// The model it is bound to.
    var model: ModelInfo? { get }

    /// What the model was loaded with; together with ``id`` it names one loaded instance.
    var loadSettings: LoadSettings { get }

    /// How good its answers are among the runners of one capability: 0 mock … 9 the best there is.
    var qualityTier: Int { get }

    /// Its answers are made up.
    var isMock: Bool { get }

    /// Why it answers only where the request or the settings name it, as a clause: `it is too large for this
    /// device`. `nil` where it answers whoever asks.
    var reservation: String? { get }
}

/// Told how far a load is, as often as the runner likes.
public typealias LoadProgress = @Sendable (InferenceChunk.Progress) -> Void

extension Runner {
    public func load(onProgress: @escaping LoadProgress) async throws { try await load() }

    public var locality: Locality { .onDevice }
    public var concurrency: Int { 1 }
    public var parameterSchema: ParameterSchema { ParameterSchema() }
    public var memoryEstimate: Int64? { model?.estimatedMemory }
    public var model: ModelInfo? { nil }
    public var loadSettings: LoadSettings { LoadSettings() }
    public var qualityTier: Int { 5 }
    public var isMock: Bool { false }
    public var reservation: String? { nil }

    public func availability() async -> Availability { .available }

    public func canRun(request: InferenceRequest) -> Bool {
        supportedCapabilities.contains(request.capability)
    }

    /// The part of ``id`` before the colon.
    public var backend: String { String(id.prefix { $0 != ":" }) }
}
