import BreezeCore

/// Looks at the free memory every few seconds: for systems that do not tell of pressure, or not to everybody.
struct MemoryWatch: MemoryPressureSource {
    /// Why it looks and does not listen.
    let reason: String
    let hardware: any HardwareDetector
    let clock: any Clock<Duration>
    static let interval = Duration.seconds(2)

    init(reason: String, hardware: any HardwareDetector, clock: any Clock<Duration> = ContinuousClock()) {
        self.reason = reason
        self.hardware = hardware
        self.clock = clock
    }

    var summary: String {
        "a look at the free memory every \(Int(Self.interval.seconds)) seconds, since \(reason)"
    }

    func levels() -> AsyncStream<MemoryPressure> {
        let (levels, continuation) = AsyncStream.makeStream(
            of: MemoryPressure.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let clock = EngineClock(clock)
        let watch = Task {
            var last = MemoryPressure.normal
            while !Task.isCancelled {
                let level = Self.level(of: hardware.memory())
                if level != last { continuation.yield(level) }
                last = level
                try await clock.sleep(Self.interval)
            }
        }
        continuation.onTermination = { _ in watch.cancel() }
        return levels
    }

    /// Less than a tenth left is a warning, less than a twentieth critical, of the machine or of the strictest
    /// limit; normal where the system does not tell.
    static func level(of memory: DeviceProfile.Memory) -> MemoryPressure {
        guard let whole = memory.limit?.bytes ?? memory.total, let available = memory.available else {
            return .normal
        }
        if available < whole / 20 { return .critical }
        return available < whole / 10 ? .warning : .normal
    }
}
