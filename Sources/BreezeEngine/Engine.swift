public import BreezeCore
public import Logging
import Synchronization

/// The brain in process: picks the runner for each request, runs it, and says why it chose so.
///
/// ```swift
/// let engine = Engine()
/// try await engine.register(MyRunner())
/// let result = try await engine.run(InferenceRequest(.chat, prompt: "hello"))
/// ```
public final class Engine: InferenceService {
    let telemetry: Telemetry
    let registry: RunnerRegistry
    let residency: Residency
    let router: Router
    let settings: any SettingsSource
    let hardware: any HardwareDetector
    let clock: EngineClock
    let logger: Logger
    let running: Mutex<[String: DetachableWork<InferenceResult>]> = Mutex([:])

    /// `settings` are asked at each request, so that a change counts at once; `policy` orders the runners that the
    /// rules of privacy and consent allow; `hardware` is asked at a decision for the memory that is free;
    /// `residency` is what tells of memory pressure and of the process's own size.
    public init(
        settings: any SettingsSource = EngineSettings(),
        policy: any RoutingPolicy = StandardRoutingPolicy(),
        hardware: any HardwareDetector = HardwareDetectors.forThisDevice(),
        clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger = Logger(label: "breeze.engine"),
        residency options: ResidencyOptions = ResidencyOptions()
    ) {
        self.settings = settings
        self.router = Router(policy: policy)
        self.hardware = hardware
        self.clock = EngineClock(clock)
        telemetry = Telemetry(clock: self.clock)
        self.logger = logger
        residency = Residency(
            settings: settings,
            hardware: hardware,
            clock: self.clock,
            logger: logger,
            telemetry: telemetry,
            options: options
        )
        registry = RunnerRegistry(residency: residency, telemetry: telemetry)
    }
}

// MARK: - Runners

extension Engine {
    /// - Throws: ``BreezeError/Code/invalidRequest`` where a runner has its id already.
    public func register(_ runner: any Runner) async throws {
        try registry.register(runner)
    }

    /// Puts `runner` in the place of the one with its id, which is unloaded.
    public func replace(_ runner: any Runner) async {
        await registry.replace(runner)?.retire()
    }

    /// Takes a runner out and unloads it.
    /// - Returns: Whether there was one.
    @discardableResult
    public func remove(_ id: String) async -> Bool {
        guard let slot = registry.remove(id) else { return false }
        await slot.retire()
        return true
    }

    /// Gives a runner's memory back once its last run has ended; its next request loads it again.
    public func unload(_ id: String) async throws {
        guard let slot = registry[id] else { throw unknownRunner(id) }
        await slot.unload()
    }

    /// Every runner with its state, in the order of registration.
    public func runners() async -> [RunnerStatus] {
        let settings = (try? settings.current()) ?? EngineSettings()
        var statuses: [RunnerStatus] = []
        for slot in registry.all {
            let availability = await slot.availability()
            let place = residency.status(of: slot.runner, number: slot.number, settings: settings)
            statuses.append(
                RunnerStatus(
                    slot.runner,
                    availability: availability,
                    residency: place,
                    counts: slot.gate.counts
                )
            )
        }
        return statuses
    }

    /// To be called when something changed outside that availability depends on: a model was installed, a
    /// runtime was removed.
    public func refreshAvailability() async {
        registry.forgetAvailability()
    }
}

// MARK: - Requests

extension Engine {
    public func run(_ request: InferenceRequest) async throws -> InferenceResult {
        try await execute(request, into: ChunkSink(callback: request.streamingCallback))
    }

    /// The chunks arrive here alone: a callback in the request is for ``run(_:)``.
    public func stream(_ request: InferenceRequest) -> InferenceStream {
        InferenceStream { sink in
            try await sink.send(try await self.whole(request, into: sink))
        }
    }

    private func whole(_ request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceChunk {
        InferenceChunk(requestID: request.id, .result(try await execute(request, into: sink)))
    }

    @discardableResult
    public func cancel(_ id: String) async -> Bool {
        let request = running.withLock { $0[id] }
        request?.cancel()
        return request != nil
    }

    public func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        let settings = try settings.current()
        var decision = try await route(request, settings: settings).decision
        decision.guarding = try await guarding(of: request, settings: settings)
        return decision
    }
}
