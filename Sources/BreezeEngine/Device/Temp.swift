public protocol HardwareDetector: Sendable { func availableMemory() -> Int64? }
struct NoDetector: HardwareDetector { func availableMemory() -> Int64? { nil } }
public enum HardwareDetectors { public static func forThisDevice() -> any HardwareDetector { NoDetector() } }
