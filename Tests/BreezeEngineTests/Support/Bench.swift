import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Synchronization

let mebibyte: Int64 = 1 << 20

/// An engine on a device of a test's making: what it has, what presses on it, and what its process holds.
struct Bench {
    let clock = ManualClock()
    let settings: ScriptedSettings
    let hardware: ScriptedHardwareDetector
    let pressure = ScriptedPressure()
    let engine: Engine
    let events: AsyncStream<ResidencyEvent>

    /// `available` in mebibytes, of a device that has as much; nothing is kept back of it.
    init(
        _ flags: [String] = [],
        available: Int64 = 1 << 20,
        process: ScriptedProcessMemory = ScriptedProcessMemory(),
        store: (any ResidencyStore)? = nil,
        runners: ScriptedRunner...
    ) async throws {
        settings = ScriptedSettings(["residency.reserve=0"] + flags)
        hardware = ScriptedHardwareDetector(Self.device(available: available))
        engine = Engine(
            settings: settings,
            hardware: hardware,
            clock: clock,
            residency: ResidencyOptions(pressure: pressure, processMemory: process, store: store)
        )
        events = engine.residencyEvents()
        for runner in runners { try await engine.register(runner) }
    }

    static func device(available: Int64) -> DeviceProfile {
        DeviceProfile(
            operatingSystem: .init(name: "test"),
            architecture: "test",
            processor: HardwareDetectors.forThisDevice().detectCapabilities().processor,
            memory: .init(total: available * mebibyte, available: available * mebibyte)
        )
    }

    func set(_ flags: [String]) { settings.become(["residency.reserve=0"] + flags) }

    func run(_ id: String, keepAlive: Double? = nil) async throws -> InferenceResult {
        let configuration = InferenceConfig(keepAlive: keepAlive)
        return try await engine.run(
            InferenceRequest(.chat, prompt: "x", configuration: configuration, runnerID: id)
        )
    }

    /// Reads events until that one.
    func reach(_ event: ResidencyEvent) async {
        for await next in events where next == event { return }
    }

    var loaded: [String] {
        get async { await engine.residency().entries.map(\.runner) }
    }
}

final class ScriptedPressure: MemoryPressureSource {
    let summary = "a script"
    private let readers = Mutex<[AsyncStream<MemoryPressure>.Continuation]>([])
    private let ends = Mutex(0)

    /// How many began to listen, and how many stopped.
    var listeners: Int { readers.withLock { $0.count } }
    var ended: Int { ends.withLock { $0 } }

    func levels() -> AsyncStream<MemoryPressure> {
        let (levels, continuation) = AsyncStream.makeStream(of: MemoryPressure.self)
        continuation.onTermination = { _ in self.ends.withLock { $0 += 1 } }
        readers.withLock { $0.append(continuation) }
        return levels
    }

    func become(_ level: MemoryPressure) {
        for reader in readers.withLock({ $0 }) { reader.yield(level) }
    }
}

final class ScriptedProcessMemory: ProcessMemory {
    private let bytes = Mutex<Int64>(100 << 20)

    func resident() -> Int64? { bytes.withLock { $0 } }

    func grow(by count: Int64) { bytes.withLock { $0 += count } }
}

/// Lets everything that can go on do so.
func settle() async {
    for _ in 0..<2_000 { await Task.yield() }
}
