/// Reads the profile from the kernel's files. Nothing it finds there makes it fail: what is missing or
/// malformed is unknown in the profile.
public struct LinuxHardwareDetector: HardwareDetector {
    private let files: LinuxFiles
    private let groups: LinuxControlGroups

    /// - Parameter root: where `proc`, `sys` and `etc` lie; a test sets it to a tree of its own.
    public init(root: String = "/") {
        files = LinuxFiles(root: root)
        groups = LinuxControlGroups(files: files)
    }

    public func detectCapabilities() -> DeviceProfile {
        let power = LinuxPower(files: files)
        return DeviceProfile(
            operatingSystem: operatingSystem(),
            architecture: DeviceProfile.programArchitecture,
            processor: LinuxProcessor(files: files, groups: groups).read(),
            memory: memory(),
            gpus: LinuxGraphics(files: files).read(),
            neuralEngine: .absent(reason: "it is reached through Apple's Core ML, which Linux does not have"),
            battery: power.battery(),
            thermalState: power.thermalState(),
            isLowPowerModeEnabled: power.isLowPowerModeEnabled()
        )
    }

    public func availableMemory() -> Int64? {
        memory().available
    }

    public func memory() -> DeviceProfile.Memory {
        LinuxMemory(files: files, groups: groups).read()
    }

    private func operatingSystem() -> DeviceProfile.OperatingSystem {
        let release = files.text("/etc/os-release") ?? files.text("/usr/lib/os-release") ?? ""
        func entry(_ key: String) -> String? {
            let value = (LinuxFiles.field(key, in: release) ?? "").filter { !"\"'\\".contains($0) }
            return value.isEmpty ? nil : value
        }
        return DeviceProfile.OperatingSystem(
            name: entry("NAME") ?? "Linux",
            version: entry("VERSION_ID"),
            kernelVersion: files.value("/proc/sys/kernel/osrelease")
        )
    }
}
