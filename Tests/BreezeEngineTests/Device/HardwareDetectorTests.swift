import BreezeEngine
import BreezeTestSupport
import Foundation
import Testing

@Suite struct `hardware detectors` {
    @Test func `a Linux profile names the system, and no Neural Engine`() throws {
        let profile = try DeviceTree(DeviceTree.machine).profile
        #expect(
            profile.operatingSystem
                == .init(name: "Debian GNU/Linux", version: "12", kernelVersion: "6.1.0-18-amd64")
        )
        guard case .absent(let reason) = profile.neuralEngine else {
            Issue.record("Linux cannot have \(profile.neuralEngine)")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test func `an empty root is a device of which little is known`() throws {
        let profile = LinuxHardwareDetector(root: "/does/not/exist").detectCapabilities()
        #expect(profile.operatingSystem == .init(name: "Linux"))
        #expect(profile.memory == .init(total: nil, available: nil))
        #expect(profile.processor == .init(logicalCores: 1))
        #expect(profile.gpus.isEmpty)
        #expect(profile.battery == nil)
    }

    /// Every file that is read, filled with what it should not hold.
    @Test(arguments: [
        Data(), Data("\n".utf8), Data("\u{0}\u{0}\u{0}".utf8), Data([0xff, 0xfe, 0x80, 0xc3]),
        Data(":::::\n- - - -\n".utf8), Data("-9223372036854775808 -9223372036854775808\n".utf8),
        Data("9223372036854775807 9223372036854775807\n".utf8), Data("0-65536,4-1,-,,5-\n".utf8),
        Data("0-9223372036854775807\n".utf8), Data(repeating: 0x41, count: 3 << 20),
        Data("MemTotal: 9223372036854775807 kB\nMemAvailable: -5 kB\nCpus_allowed_list:\n".utf8),
        Data("36 35 0:30 / / rw - cgroup2 c rw,memory\n0::/\nMemTotal: x\nflags\nMemAvailable:".utf8),
    ])
    func `malformed files never make it fail`(content: Data) throws {
        let tree = try DeviceTree()
        for path in [
            "etc/os-release", "proc/sys/kernel/osrelease", "proc/meminfo", "proc/cpuinfo", "proc/self/status",
            "proc/self/mountinfo", "proc/self/cgroup", "sys/devices/system/cpu/online",
            "sys/devices/cpu_core/cpus", "sys/devices/system/cpu/cpu0/cpu_capacity", "memory.max",
            "memory.high",
            "memory.current", "memory.stat", "cpu.max", "sys/class/drm/card0/device/vendor",
            "sys/class/drm/card0/device/device", "sys/class/drm/card0/device/uevent",
            "sys/class/drm/card0/device/mem_info_vram_total", "proc/driver/nvidia/gpus/x/information",
            "sys/class/power_supply/BAT0/type", "sys/class/power_supply/BAT0/capacity",
            "sys/class/thermal/thermal_zone0/temp", "sys/class/thermal/thermal_zone0/trip_point_0_type",
            "sys/class/thermal/thermal_zone0/trip_point_0_temp", "sys/firmware/acpi/platform_profile",
        ] {
            try tree.write(content, to: path)
        }
        let profile = tree.profile
        #expect(profile.processor.effectiveCores >= 1)
        #expect(profile.memory.available ?? 0 >= 0)
        #expect(profile.memory.total ?? 0 >= 0)
    }

    @Test func `folders in the place of files read as missing`() throws {
        let tree = try DeviceTree(["proc/meminfo/x": "", "proc/cpuinfo/x": "", "proc/self/cgroup/x": ""])
        #expect(tree.profile.memory == .init(total: nil, available: nil))
    }

    @Test func `a scripted device changes when it is told to`() throws {
        var profile = try DeviceTree(DeviceTree.machine).profile
        let scripted = ScriptedHardwareDetector(profile)
        #expect(scripted.detectCapabilities() == profile)
        #expect(scripted.availableMemory() == 12 << 30)
        profile.memory.available = 5
        profile.neuralEngine = .present(cores: 16)
        scripted.profile = profile
        #expect(scripted.availableMemory() == 5)
        #expect(scripted.detectCapabilities().neuralEngine == .present(cores: 16))
    }

    @Test func `a profile survives JSON in the shape that scripts read`() throws {
        let profile = DeviceProfile(
            operatingSystem: .init(name: "macOS", version: "15.1.0"),
            architecture: "arm64",
            processor: .init(logicalCores: 8, performanceCores: 4, instructionSets: [.neon, .dotProduct]),
            memory: .init(total: 100, available: 40, limit: .init(bytes: 50, source: "/x/memory.max")),
            gpus: [.init(name: "Apple M2")],
            neuralEngine: .present(cores: 16),
            battery: .init(state: .notCharging, percent: 80),
            thermalState: .fair,
            isLowPowerModeEnabled: false
        )
        let data = try JSONEncoder().encode(profile)
        #expect(try JSONDecoder().decode(DeviceProfile.self, from: data) == profile)

        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let parts = [
            String(decoding: try encoder.encode(profile.neuralEngine), as: UTF8.self),
            String(
                decoding: try encoder.encode(DeviceProfile.NeuralEngine.absent(reason: "none")),
                as: UTF8.self
            ),
            String(decoding: try encoder.encode(profile.processor.instructionSets), as: UTF8.self),
        ]
        #expect(
            parts == [
                #"{"cores":16,"state":"present"}"#, #"{"reason":"none","state":"absent"}"#,
                #"["neon","dotprod"]"#,
            ]
        )
        let unknown = try JSONDecoder()
            .decode(
                DeviceProfile.NeuralEngine.self,
                from: Data(#"{"state":"unknown","reason":"r","new":1}"#.utf8)
            )
        #expect(unknown == .unknown(reason: "r"))
    }
}

@Suite struct `this device` {
    @Test func `has memory in a plausible order`() throws {
        let detector = HardwareDetectors.forThisDevice()
        let memory = detector.detectCapabilities().memory
        let total = try #require(memory.total)
        let available = try #require(memory.available)
        #expect(total >= available)
        #expect(available > 0)
        // Read a moment later, so not equal, but of the same kind.
        let later = try #require(detector.availableMemory())
        #expect(later > 0 && later <= total)
    }

    #if os(Linux)
    @Test func `has the memory that free prints and the cores that nproc prints`() async throws {
        let profile = HardwareDetectors.forThisDevice().detectCapabilities()
        let cores = try #require(Int(try await output(of: "nproc")))
        // Newer versions of nproc honour the quota of the control group, older ones the affinity mask alone.
        #expect([profile.processor.allowedCores, profile.processor.effectiveCores].contains(cores))
        #expect(profile.processor.effectiveCores >= 1)
        #expect(profile.processor.logicalCores >= cores)

        let row = try await output(of: "free", "-b").split(separator: "\n").first { $0.hasPrefix("Mem:") }
        let total = try #require(row?.split(separator: " ").dropFirst().first)
        #expect(profile.memory.total == Int64(total))
        #expect(profile.operatingSystem.kernelVersion == (try await output(of: "uname", "-r")))
    }

    /// What a program prints, with the environment that changes its answer taken away.
    private func output(of command: String...) async throws -> String {
        let arguments = ["-u", "OMP_NUM_THREADS", "-u", "OMP_THREAD_LIMIT", "LC_ALL=C"] + command
        let outcome = try await ChildProcess(URL(filePath: "/usr/bin/env"), arguments).run()
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    #endif
}
