/// How badly the device lacks memory.
public enum MemoryPressure: String, Codable, CaseIterable, Comparable, Sendable {
    case normal
    /// Work begins to wait for memory: what is not needed should go.
    case warning
    /// Work stands still for lack of memory, or processes are about to be ended.
    case critical

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// Tells of memory pressure as it comes and goes. An app may bring its own.
public protocol MemoryPressureSource: Sendable {
    /// What it listens to, for a person: `/proc/pressure/memory`.
    var summary: String { get }

    /// The level at each change; it is ``MemoryPressure/normal`` until the first one. Listening begins with
    /// the call and ends when nobody reads the stream any more.
    func levels() -> AsyncStream<MemoryPressure>
}

public enum MemoryPressureSources {
    /// The best source of the system that this program runs on.
    public static func forThisDevice(
        hardware: any HardwareDetector = HardwareDetectors.forThisDevice()
    ) -> any MemoryPressureSource {
        #if canImport(Darwin)
        AppleMemoryPressure()
        #else
        LinuxMemoryPressure.bestSource(hardware: hardware)
        #endif
    }
}
