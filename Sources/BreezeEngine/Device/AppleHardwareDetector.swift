#if canImport(Darwin)
// Darwin declares the task's own port as a variable, though nothing ever sets it.
@preconcurrency import Darwin
import Foundation
import os

#if canImport(CoreML)
import CoreML
#endif
#if canImport(Metal)
import Metal
#endif
#if os(macOS)
import IOKit.ps
#endif

/// Asks the system's own interfaces. On iOS the battery stays `nil`: UIKit tells its charge on the main actor
/// only, to an app that switched monitoring on.
public struct AppleHardwareDetector: HardwareDetector {
    // Asked once: each call takes another reference to the same port.
    private let host = mach_host_self()

    public init() {}

    public func detectCapabilities() -> DeviceProfile {
        DeviceProfile(
            operatingSystem: operatingSystem(),
            architecture: DeviceProfile.programArchitecture,
            processor: processor(),
            memory: memory(),
            gpus: gpus(),
            neuralEngine: neuralEngine(),
            battery: battery(),
            thermalState: thermalState(),
            isLowPowerModeEnabled: ProcessInfo.processInfo.isLowPowerModeEnabled
        )
    }

    public func availableMemory() -> Int64? {
        #if os(macOS)
        machineAvailableMemory()
        #else
        Int64(clamping: os_proc_available_memory())
        #endif
    }

    public func memory() -> DeviceProfile.Memory {
        let total = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
        let available = availableMemory()
        #if os(macOS)
        return DeviceProfile.Memory(total: total, available: available)
        #else
        // The system ends an app that passes its limit, which is what it holds and what it may still take.
        let limit = SystemProcessMemory().resident().flatMap { held in
            available.map { DeviceProfile.Memory.Limit(bytes: held + $0, source: "app memory limit") }
        }
        return DeviceProfile.Memory(total: total, available: available, limit: limit)
        #endif
    }

    #if os(macOS)
    /// The machine's memory less what Activity Monitor calls used: apps' own pages that cannot be purged,
    /// wired ones, and the compressor's.
    private func machineAvailableMemory() -> Int64? {
        var statistics = vm_statistics64()
        var count = mach_msg_type_number_t(
            MemoryLayout<vm_statistics64_data_t>.size / MemoryLayout<integer_t>.size
        )
        let status = withUnsafeMutablePointer(to: &statistics) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                host_statistics64(host, HOST_VM_INFO64, $0, &count)
            }
        }
        var pageSize: vm_size_t = 0
        guard status == KERN_SUCCESS, host_page_size(host, &pageSize) == KERN_SUCCESS else { return nil }
        let used =
            Int64(statistics.internal_page_count) - Int64(statistics.purgeable_count)
            + Int64(statistics.wire_count) + Int64(statistics.compressor_page_count)
        return max(0, Int64(clamping: ProcessInfo.processInfo.physicalMemory) - used * Int64(pageSize))
    }
    #endif

    private func operatingSystem() -> DeviceProfile.OperatingSystem {
        #if os(macOS)
        let name = "macOS"
        #elseif os(iOS)
        let name = "iOS"
        #elseif os(visionOS)
        let name = "visionOS"
        #elseif os(tvOS)
        let name = "tvOS"
        #else
        let name = "watchOS"
        #endif
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return DeviceProfile.OperatingSystem(
            name: name,
            version: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
            kernelVersion: text("kern.osrelease")
        )
    }

    private func processor() -> DeviceProfile.Processor {
        DeviceProfile.Processor(
            model: text("machdep.cpu.brand_string"),
            logicalCores: ProcessInfo.processInfo.activeProcessorCount,
            // With one level only, all cores are alike.
            performanceCores: (number("hw.nperflevels") ?? 1) > 1
                ? number("hw.perflevel0.logicalcpu").map { Int($0) } : nil,
            instructionSets: instructionSets()
        )
    }

    private func instructionSets() -> [DeviceProfile.InstructionSet] {
        #if arch(arm64)
        // Every 64-bit ARM core has NEON.
        let sets: [(DeviceProfile.InstructionSet, Bool)] = [
            (.neon, true),
            (.dotProduct, number("hw.optional.arm.FEAT_DotProd") == 1),
            (.int8MatrixMultiply, number("hw.optional.arm.FEAT_I8MM") == 1),
        ]
        #else
        let avx512 = ["f", "bw", "cd", "dq", "vl"].allSatisfy { number("hw.optional.avx512" + $0) == 1 }
        let vnni = text("machdep.cpu.leaf7_features")?.split(separator: " ").contains("AVX512VNNI") ?? false
        let sets: [(DeviceProfile.InstructionSet, Bool)] = [
            (.sse42, number("hw.optional.sse4_2") == 1),
            (.avx2, number("hw.optional.avx2_0") == 1),
            (.avx512, avx512),
            (.avx512VNNI, avx512 && vnni),
        ]
        #endif
        return sets.filter(\.1).map(\.0)
    }

    private func gpus() -> [DeviceProfile.GPU] {
        #if canImport(Metal)
        #if os(macOS)
        let devices = MTLCopyAllDevices()
        #else
        let devices = [MTLCreateSystemDefaultDevice()].compactMap(\.self)
        #endif
        return devices.map { DeviceProfile.GPU(name: $0.name, driver: "Metal") }
        #else
        return []
        #endif
    }

    private func neuralEngine() -> DeviceProfile.NeuralEngine {
        #if canImport(CoreML)
        for device in MLComputeDevice.allComputeDevices {
            if case .neuralEngine(let engine) = device { return .present(cores: engine.totalCoreCount) }
        }
        return .absent(reason: "Core ML lists none among this device's compute devices")
        #else
        return .unknown(reason: "this build has no Core ML to ask")
        #endif
    }

    private func battery() -> DeviceProfile.Battery? {
        #if os(macOS)
        guard let snapshot = IOPSCopyPowerSourcesInfo()?.takeRetainedValue(),
            let sources = IOPSCopyPowerSourcesList(snapshot)?.takeRetainedValue() as? [CFTypeRef]
        else { return nil }
        let descriptions = sources.compactMap {
            IOPSGetPowerSourceDescription(snapshot, $0)?.takeUnretainedValue() as? [String: Any]
        }
        // A Mac has one internal battery; the other sources are uninterruptible supplies.
        guard let own = descriptions.first(where: { $0[kIOPSTypeKey] as? String == kIOPSInternalBatteryType })
        else { return nil }
        let state: DeviceProfile.Battery.State =
            if own[kIOPSIsChargingKey] as? Bool == true {
                .charging
            } else if own[kIOPSIsChargedKey] as? Bool == true {
                .full
            } else if own[kIOPSPowerSourceStateKey] as? String == kIOPSACPowerValue {
                .notCharging
            } else {
                .discharging
            }
        let current = own[kIOPSCurrentCapacityKey] as? Int
        let full = own[kIOPSMaxCapacityKey] as? Int ?? 100
        return DeviceProfile.Battery(state: state, percent: full > 0 ? current.map { $0 * 100 / full } : nil)
        #else
        return nil
        #endif
    }

    private func thermalState() -> DeviceProfile.ThermalState? {
        switch ProcessInfo.processInfo.thermalState {
        case .nominal: .nominal
        case .fair: .fair
        case .serious: .serious
        case .critical: .critical
        @unknown default: nil
        }
    }

    private func number(_ name: String) -> Int64? {
        var value: Int64 = 0  // little-endian, so that a 32-bit answer lands in its low half
        var size = MemoryLayout<Int64>.size
        return sysctlbyname(name, &value, &size, nil, 0) == 0 ? value : nil
    }

    private func text(_ name: String) -> String? {
        var size = 0
        guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix(size).prefix { $0 != 0 }, as: UTF8.self)
    }
}
#endif
