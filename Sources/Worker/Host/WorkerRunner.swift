public import BreezeCore
import Foundation
import Synchronization

/// A runner that lives in a child process: what it does there, and how it fails there, looks here as if it lived in
/// this one, but for a crash, which is an error for the requests that it was answering and for nobody else.
///
/// The process is started by ``load()`` or by the first request, ended by ``unload()`` or with this object, and
/// started again by the next request after it ended by itself. One that crashes again and again is given time before
/// its next start; meanwhile requests fail with ``BreezeError/retryAfter``.
public final class WorkerRunner: StreamingRunner {
    private enum Phase {
        case none
        case starting(WorkerStart)
        case running(WorkerConnection)
    }

    private struct State {
        var phase = Phase.none
        var backoff = CrashBackoff()
        var starts = 0
    }

    private let facts: WorkerFacts
    private let descriptor: WorkerDescriptor
    private let launch: WorkerLaunch
    private let options: WorkerOptions
    private let clock: WorkerClock
    private let state = Mutex(State())

    /// The runner that `descriptor` has the worker build should be the one that `facts` speaks of.
    public init(
        _ facts: WorkerFacts,
        descriptor: WorkerDescriptor,
        launch: WorkerLaunch,
        options: WorkerOptions = WorkerOptions(),
        clock: any Clock<Duration> = SuspendingClock()
    ) {
        self.facts = facts
        self.descriptor = descriptor
        self.launch = launch
        self.options = options
        self.clock = WorkerClock(clock)
    }

    deinit {
        // A start in progress holds this object, so there is none.
        guard case .running(let connection) = state.withLock({ $0.phase }) else { return }
        connection.doom(CancellationError(), isFault: false)
    }

    public var id: String { facts.id }
    public var supportedCapabilities: [AICapability] { facts.supportedCapabilities }
    public var locality: Locality { facts.locality }
    public var concurrency: Int { facts.concurrency }
    public var parameterSchema: ParameterSchema { facts.parameterSchema }
    public var memoryEstimate: Int64? { facts.memoryEstimate }
    public var model: ModelInfo? { facts.model }
    public var loadSettings: LoadSettings { facts.loadSettings }
    public var qualityTier: Int { facts.qualityTier }
    public var isMock: Bool { facts.isMock }
    public var reservation: String? { facts.reservation }

    public func canRun(request: InferenceRequest) -> Bool { facts.canRun(request) }

    public func availability() async -> Availability {
        let path = launch.executable.path(percentEncoded: false)
        guard FileManager.default.isExecutableFile(atPath: path) else {
            return .unavailable(
                reason: "the program of the workers, \(path), is not there",
                remedy: "Install Breeze again, or put its program back there."
            )
        }
        return await facts.availability()
    }

    /// Of the process that runs now.
    public var processID: Int32? { connected?.state.withLock { $0.process?.id } }

    /// Bytes that the process which runs now has resident, the mapped parts of a model's file among them.
    public var residentMemory: Int64? { connected?.state.withLock { $0.process }?.residentMemory }

    /// What holds inside the process that runs now.
    public var protection: WorkerProtection? { connected?.state.withLock { $0.protection } }

    /// How many processes were started so far.
    public var starts: Int { state.withLock { $0.starts } }

    private var connected: WorkerConnection? {
        if case .running(let connection) = state.withLock({ $0.phase }) { connection } else { nil }
    }

    public func load() async throws {
        _ = try await connection()
    }

    public func load(onProgress: @escaping LoadProgress) async throws {
        _ = try await connection(onProgress: onProgress)
    }

    public func unload() async {
        let phase = state.withLock { state in
            defer { state.phase = .none }
            return state.phase
        }
        switch phase {
        case .none: break
        case .starting(let start): await start.giveUp(throwing: unloadedMeanwhile)
        case .running(let connection): await connection.retire()
        }
    }

    // MARK: Requests

    public func run(request: InferenceRequest) async throws -> InferenceResult {
        guard let callback = request.streamingCallback else { return try await run(request, into: nil) }
        return try await run(request, into: ChunkSink(callback: callback))
    }

    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        try await run(request, into: sink)
    }

    private func run(_ request: InferenceRequest, into sink: ChunkSink?) async throws -> InferenceResult {
        let json = try WireJSON.encode(request)
        guard json.count < Frame.maximumLength - 64 else { throw tooLarge(json.count) }
        while true {
            try Task.checkCancellation()
            let connection = try await connection()
            guard let call = try connection.begin(json, streams: sink != nil) else {
                await connection.ended()
                continue
            }
            let answer = WorkerAnswer(connection: connection, call: call, request: request, sink: sink)
            let result = try await answer.read()
            state.withLock { $0.backoff.answered() }
            return result
        }
    }

    private func tooLarge(_ size: Int) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "A request of \(size) bytes is more than a worker takes (\(Frame.maximumLength)).",
            remedy: "Send fewer texts at once, or a smaller picture or recording."
        )
    }

    // MARK: The process

    private enum Next {
        case use(WorkerConnection)
        case wait(WorkerStart)
        case begin(WorkerStart)
    }

    /// The worker, loaded. However many ask, one is started, and tells whoever started it how far it is.
    private func connection(onProgress: @escaping LoadProgress = { _ in }) async throws -> WorkerConnection {
        while true {
            let next = try state.withLock { state throws -> Next in
                switch state.phase {
                case .running(let connection): return .use(connection)
                case .starting(let start): return .wait(start)
                case .none:
                    if let wait = state.backoff.wait(at: clock.elapsed()) {
                        throw resting(wait, after: state.backoff.crashes)
                    }
                    let start = WorkerStart()
                    state.phase = .starting(start)
                    state.starts += 1
                    return .begin(start)
                }
            }
            switch next {
            case .use(let connection): return connection
            case .wait(let start): try await wait(for: start)
            case .begin(let start):
                start.begin { [self] in
                    start.finish(await Self.outcome { try await self.start(start, onProgress) })
                }
                try await wait(for: start)
            }
        }
    }

    /// A start that others gave up is no failure for those who came meanwhile: they begin another one.
    private func wait(for start: WorkerStart) async throws {
        do { try await start.wait() } catch is CancellationError { try Task.checkCancellation() }
    }

    private static func outcome(_ work: () async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await work()) } catch { return .failure(error) }
    }

    private func start(_ start: WorkerStart, _ onProgress: @escaping LoadProgress) async throws {
        let connection = WorkerConnection(
            name: facts.id,
            memoryLimit: descriptor.memoryLimit,
            options: options,
            clock: clock
        ) { [weak self] connection, fate in self?.ended(connection, fate) }
        do {
            try await connection.open(launch, descriptor)
            try await connection.load(onProgress: onProgress)
            try state.withLock { state throws in
                guard case .starting(let current) = state.phase, current === start else {
                    throw unloadedMeanwhile
                }
                state.phase = .running(connection)
            }
        } catch {
            connection.doom(error, isFault: false)
            await connection.ended()
            state.withLock { state in
                if case .starting(let current) = state.phase, current === start { state.phase = .none }
            }
            throw error
        }
    }

    private func ended(_ connection: WorkerConnection, _ fate: WorkerConnection.Fate) {
        state.withLock { state in
            if fate.isFault { state.backoff.crashed(at: clock.elapsed()) }
            if case .running(let current) = state.phase, current === connection { state.phase = .none }
        }
    }

    private var unloadedMeanwhile: BreezeError {
        BreezeError(.loadFailed, "\(id) was unloaded while it loaded.", remedy: "Load it again.")
    }

    private func resting(_ wait: Duration, after crashes: Int) -> BreezeError {
        let seconds = max(1, Int((wait / .seconds(1)).rounded(.up)))
        return BreezeError(
            .unavailable,
            "\(id): its worker process crashed \(crashes) times in a row; the next start is in \(seconds) s.",
            remedy: "Wait, or use another model. The model's file may be damaged.",
            retryAfter: wait
        )
    }
}
