/// Tells what the device has and how much of it is free. An app may bring its own, for example to keep memory
/// for itself.
public protocol HardwareDetector: Sendable {
    /// Looks at everything anew. It touches dozens of files or system services: ask at start or for a report,
    /// and
    /// ``HardwareDetector/availableMemory()`` where only the memory counts.
    func detectCapabilities() -> DeviceProfile

    /// Bytes that this process could still take, read now; `nil` where that is unknown. Cheap enough to be
    /// asked at each decision.
    func availableMemory() -> Int64?

    /// The memory alone, read now: cheap enough for each load of a model.
    func memory() -> DeviceProfile.Memory
}

extension HardwareDetector {
    public func availableMemory() -> Int64? {
        detectCapabilities().memory.available
    }

    public func memory() -> DeviceProfile.Memory {
        var memory = detectCapabilities().memory
        memory.available = availableMemory()
        return memory
    }
}

public enum HardwareDetectors {
    /// The detector of the system that this program was built for.
    public static func forThisDevice() -> any HardwareDetector {
        #if canImport(Darwin)
        AppleHardwareDetector()
        #else
        LinuxHardwareDetector()
        #endif
    }
}
