import BreezeEngine
import Testing

@Suite struct `processor of a Linux device` {
    @Test func `a plain machine has all its cores`() throws {
        let processor = try DeviceTree(DeviceTree.machine).profile.processor
        #expect(processor.model == "Intel(R) Core(TM) i7-8565U CPU @ 1.80GHz")
        #expect(processor.logicalCores == 8)
        #expect(processor.allowedCores == 8)
        #expect(processor.effectiveCores == 8)
        #expect(processor.performanceCores == nil)
        #expect(processor.coreQuota == nil)
        #expect(processor.instructionSets == [.sse42, .avx2])
        #expect(processor.simdLevel == .avx2)
    }

    @Test func `an affinity mask counts the cores that are switched on`() throws {
        // Of 1, 3, 5, 6, 7 and 100 to 127 the machine runs 0 to 5: 1, 3 and 5 remain.
        let tree = try DeviceTree(
            DeviceTree.machine,
            [
                "proc/self/status": "Cpus_allowed_list:\t1,3,5-7,100-127\n",
                "sys/devices/system/cpu/online": "0-5\n",
            ]
        )
        #expect(tree.profile.processor.logicalCores == 6)
        #expect(tree.profile.processor.allowedCores == 3)
        #expect(tree.profile.processor.effectiveCores == 3)
    }

    @Test(
        arguments: [
            ("max 100000", "max 100000", nil, 8),
            ("350000 100000", "max 100000", 3.5, 3),
            ("350000 100000", "150000 100000", 1.5, 1),
            ("50000 100000", "max 100000", 0.5, 1),
            ("1600000 100000", "max 100000", 16, 8),
            ("400000 0", "-5 100000", nil, 8),
            ("400000", "what ever", nil, 8),
        ] as [(String, String, Double?, Int)]
    )
    func `the smallest quota of nested groups`(outer: String, inner: String, quota: Double?, effective: Int)
        throws
    {
        let tree = try DeviceTree(
            DeviceTree.machine,
            DeviceTree.mounted(v2: "/pod/app"),
            ["sys/fs/cgroup/pod/cpu.max": outer, "sys/fs/cgroup/pod/app/cpu.max": inner]
        )
        #expect(tree.profile.processor.coreQuota == quota)
        #expect(tree.profile.processor.effectiveCores == effective)
    }

    @Test func `an unlimited version 1 quota is none`() throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            [
                "proc/self/mountinfo": "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n",
                "proc/self/cgroup": "1:cpu:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            ]
        )
        #expect(tree.profile.processor.coreQuota == nil)
        #expect(tree.profile.processor.effectiveCores == 8)
    }

    @Test func `fast cores of an Intel hybrid`() throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            ["sys/devices/cpu_core/cpus": "0-3\n", "sys/devices/cpu_atom/cpus": "4-7\n"]
        )
        #expect(tree.profile.processor.performanceCores == 4)
    }

    @Test(
        arguments: [
            ([414, 414, 1024, 871], 2),
            ([1024, 1024, 1024, 1024], nil),
        ] as [([Int], Int?)]
    )
    func `fast cores of an ARM machine are all but the weakest`(capacities: [Int], fast: Int?) throws {
        let files = capacities.enumerated().map {
            ("sys/devices/system/cpu/cpu\($0)/cpu_capacity", "\($1)\n")
        }
        let tree = try DeviceTree(
            DeviceTree.machine.merging(["sys/devices/system/cpu/online": "0-3\n"]) { $1 },
            Dictionary(uniqueKeysWithValues: files)
        )
        #expect(tree.profile.processor.performanceCores == fast)
    }

    @Test(
        arguments: [
            ("flags\t\t: fpu sse2", []),
            ("flags\t\t: sse4_2", [.sse42]),
            ("flags\t\t: sse4_2 avx2 avx512f", [.sse42, .avx2]),
            ("flags\t\t: sse4_2 avx2 avx512f avx512bw avx512cd avx512dq avx512vl", [.sse42, .avx2, .avx512]),
            (
                "flags\t\t: sse4_2 avx2 avx512f avx512bw avx512cd avx512dq avx512vl avx512_vnni amx_tile amx_int8",
                [.sse42, .avx2, .avx512, .avx512VNNI, .amx]
            ),
            ("Features\t: fp asimd evtstrm", [.neon]),
            ("Features\t: fp asimd asimddp i8mm sve", [.neon, .dotProduct, .int8MatrixMultiply, .sve]),
            ("Features\t: half thumb neon vfpv4", [.neon]),
        ] as [(String, [DeviceProfile.InstructionSet])]
    )
    func `vector extensions by the kernel's flags`(line: String, sets: [DeviceProfile.InstructionSet]) throws
    {
        // The kernel shows on each core what all can do; the first one's line is read.
        let second = line.prefix { $0 != ":" } + ": avx2 sve"
        let tree = try DeviceTree([
            "proc/cpuinfo": "processor\t: 0\n\(line)\n\nprocessor\t: 1\n\(second)\n"
        ])
        #expect(tree.profile.processor.instructionSets == sets)
    }
}
