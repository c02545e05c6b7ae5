import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Synchronization
import Testing

/// What residency does to every runner.
@Suite struct ResidencyConformanceTests {
    private final class Pressure: MemoryPressureSource {
        let summary = "a script"
        private let stream = AsyncStream.makeStream(of: MemoryPressure.self)

        func levels() -> AsyncStream<MemoryPressure> { stream.stream }
        func become(_ level: MemoryPressure) { stream.continuation.yield(level) }
    }

    /// A runner of 40 MiB, whatever it says itself.
    private func weighed(_ subject: ConformanceSubject, end: Gate? = nil) async throws -> WeighedRunner {
        WeighedRunner(try await subject.make(), size: 40 << 20, end: end)
    }

    private func request(_ subject: ConformanceSubject) -> InferenceRequest {
        var request = subject.request
        request.runnerID = nil
        request.allowsMocks = true
        return request
    }

    private func rival() -> WeighedRunner { WeighedRunner(Rival(), size: 40 << 20) }

    private struct Rival: Runner {
        let id = "rival"
        let supportedCapabilities = [AICapability(rawValue: "rivalry")]
        func load() async throws {}
        func unload() async {}
        func run(request: InferenceRequest) async throws -> InferenceResult {
            InferenceResult(requestID: request.id, output: .text(""), runner: id)
        }
    }

    private func engine(
        _ runners: any Runner...,
        pressure: Pressure = Pressure(),
        pinned: String? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Engine {
        var tree = SettingsTree()
        try tree.set(["residency", "budget"], to: "60MiB", origin: .flag)
        if let pinned { try tree.set(["residency", "pinned"], to: [.string(pinned)], origin: .flag) }
        try tree.set(["residency", "keepAlive"], to: 10, origin: .flag)
        let engine = Engine(
            settings: EngineSettings(tree),
            clock: clock,
            residency: ResidencyOptions(pressure: pressure, processMemory: NoMemory())
        )
        for runner in runners { try await engine.register(runner) }
        return engine
    }

    private struct NoMemory: ProcessMemory {
        func resident() -> Int64? { nil }
    }

    @Test(arguments: ConformanceSubject.all)
    func `it is not evicted while it runs, and is afterwards`(subject: ConformanceSubject) async throws {
        let end = Gate()
        let runner = try await weighed(subject, end: end)
        let engine = try await engine(runner, rival())
        async let answer = engine.run(request(subject))
        await runner.begun.pass()
        let error = await #expect(throws: BreezeError.self) { try await engine.load("rival") }
        #expect(error?.code == .insufficientMemory)
        end.open()
        _ = try await answer
        #expect(runner.unloadsUnderRun == 0)
        try await engine.load("rival")
        #expect(runner.unloads == 1)
        #expect(try await engine.run(request(subject)).runner == runner.id)
    }

    @Test(arguments: ConformanceSubject.all)
    func `a pin keeps it, and the newcomer is refused`(subject: ConformanceSubject) async throws {
        let runner = try await weighed(subject)
        let engine = try await engine(runner, rival(), pinned: runner.id)
        _ = try await engine.run(request(subject))
        let error = await #expect(throws: BreezeError.self) { try await engine.load("rival") }
        #expect(error?.message.contains("pinned: \(runner.id)") == true)
        #expect(runner.unloads == 0)
    }

    @Test(arguments: ConformanceSubject.all)
    func `it goes when its keep-alive is over, and comes back`(subject: ConformanceSubject) async throws {
        let runner = try await weighed(subject)
        let clock = ManualClock()
        let engine = try await engine(runner, clock: clock)
        let before = try await engine.run(request(subject)).output
        let events = engine.residencyEvents()
        await clock.sleeper(within: .seconds(10))
        clock.advance(by: .seconds(9))
        #expect(runner.unloads == 0)
        clock.advance(by: .seconds(1))
        for await event in events where event == .unloaded(runner.id) { break }
        #expect(runner.unloads == 1)
        #expect(try await engine.run(request(subject)).output == before)
    }

    @Test(arguments: ConformanceSubject.all)
    func `critical pressure takes it when it is idle, and it comes back`(
        subject: ConformanceSubject
    ) async throws {
        let runner = try await weighed(subject)
        let pressure = Pressure()
        let listener = WeighedRunner(Rival(), size: 1)
        let engine = try await engine(runner, listener, pressure: pressure)
        // A mock alone does not make the engine listen.
        try await engine.load("rival")
        let before = try await engine.run(request(subject)).output
        let events = engine.residencyEvents()
        pressure.become(.critical)
        for await event in events where event == .unloaded(runner.id) { break }
        #expect(runner.unloads == 1)
        pressure.become(.normal)
        for await event in events where event == .pressure(.normal) { break }
        #expect(try await engine.run(request(subject)).output == before)
    }
}

/// A runner of a size that a test chose, which counts what is done to it and ends a run when a test lets it.
private final class WeighedRunner: StreamingRunner {
    private let wrapped: any Runner
    private let size: Int64
    private let tally = Mutex((running: 0, unloads: 0, underRun: 0))
    /// Opens when a run begins.
    let begun = Gate()
    /// Whoever runs stays until it opens.
    let end: Gate?

    init(_ wrapped: any Runner, size: Int64, end: Gate? = nil) {
        self.wrapped = wrapped
        self.end = end
        self.size = size
    }

    var unloads: Int { tally.withLock { $0.unloads } }
    var unloadsUnderRun: Int { tally.withLock { $0.underRun } }

    var id: String { wrapped.id }
    var supportedCapabilities: [AICapability] { wrapped.supportedCapabilities }
    var concurrency: Int { wrapped.concurrency }
    var parameterSchema: ParameterSchema { wrapped.parameterSchema }
    var memoryEstimate: Int64? { size }
    var model: ModelInfo? { wrapped.model }
    var isMock: Bool { wrapped.isMock }

    func availability() async -> Availability { await wrapped.availability() }
    func canRun(request: InferenceRequest) -> Bool { wrapped.canRun(request: request) }
    func load() async throws { try await wrapped.load() }

    func unload() async {
        tally.withLock { tally in
            tally.unloads += 1
            if tally.running > 0 { tally.underRun += 1 }
        }
        await wrapped.unload()
    }

    func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        tally.withLock { $0.running += 1 }
        defer { tally.withLock { $0.running -= 1 } }
        begun.open()
        let result = try await wrapped.stream(request, into: sink)
        await end?.pass()
        return result
    }
}
