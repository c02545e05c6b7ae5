import Synchronization

/// Answers with the profile it was given, for tests and for apps that know their device better. Setting
/// ``profile`` changes the device under a running engine.
public final class ScriptedHardwareDetector: HardwareDetector {
    private let current: Mutex<DeviceProfile>

    public init(_ profile: DeviceProfile) {
        current = Mutex(profile)
    }

    public var profile: DeviceProfile {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    public func detectCapabilities() -> DeviceProfile {
        profile
    }
}
