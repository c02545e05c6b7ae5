import BreezeEngine
import Testing

private let gibibyte: Int64 = 1 << 30

@Suite struct `memory of a Linux device` {
    @Test func `available is what the kernel estimates and neither what is free nor what is used`() throws {
        let tree = try DeviceTree(DeviceTree.machine)
        #expect(tree.profile.memory == .init(total: 16 * gibibyte, available: 12 * gibibyte))
        #expect(tree.detector.availableMemory() == 12 * gibibyte)
    }

    @Test func `a version 2 limit leaves itself less its usage, droppable file pages not counted`() throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            DeviceTree.mounted(v2: "/"),
            [
                "sys/fs/cgroup/memory.max": "4294967296\n",  // 4 GiB
                "sys/fs/cgroup/memory.high": "max\n",
                "sys/fs/cgroup/memory.current": "3221225472\n",  // 3 GiB
                // 1 GiB
                "sys/fs/cgroup/memory.stat": "anon 2147483648\nactive_file 9\ninactive_file 1073741824\n",
            ]
        )
        let memory = tree.profile.memory
        #expect(memory.total == 16 * gibibyte)
        #expect(memory.limit == .init(bytes: 4 * gibibyte, source: "/sys/fs/cgroup/memory.max"))
        // 4 − (3 − 1)
        #expect(memory.available == 2 * gibibyte)
        #expect(tree.detector.availableMemory() == 2 * gibibyte)
    }

    @Test func `each read sees the usage of that moment`() throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            DeviceTree.mounted(v2: "/app"),
            [
                "sys/fs/cgroup/app/memory.max": "1073741824",
                "sys/fs/cgroup/app/memory.current": "0",
            ]
        )
        let detector = tree.detector
        #expect(detector.availableMemory() == gibibyte)
        try tree.write("268435456\n", to: "sys/fs/cgroup/app/memory.current")
        // 1024 − 256
        #expect(detector.availableMemory() == 768 * mebibyte)
    }

    @Test func `the strictest of nested groups is the limit and the fullest one says what is available`()
        throws
    {
        let tree = try DeviceTree(
            DeviceTree.machine,
            DeviceTree.mounted(v2: "/user.slice/app.slice/breeze.service"),
            [
                "sys/fs/cgroup/user.slice/memory.max": "8589934592",  // 8 GiB, 7.5 used: 0.5 left
                "sys/fs/cgroup/user.slice/memory.current": "8053063680",
                "sys/fs/cgroup/user.slice/app.slice/memory.max": "max",
                "sys/fs/cgroup/user.slice/app.slice/memory.high": "2147483648",  // 2 GiB, 1 used: 1 left
                "sys/fs/cgroup/user.slice/app.slice/memory.current": "1073741824",
                // 6 GiB, 1 used: 5 left
                "sys/fs/cgroup/user.slice/app.slice/breeze.service/memory.max": "6442450944",
                "sys/fs/cgroup/user.slice/app.slice/breeze.service/memory.current": "1073741824",
            ]
        )
        let memory = tree.profile.memory
        #expect(memory.limit?.bytes == 2 * gibibyte)
        #expect(memory.limit?.source == "/sys/fs/cgroup/user.slice/app.slice/memory.high")
        #expect(memory.available == 512 * mebibyte)
    }

    @Test func `version 1 beside version 2 is found at its own mount, below the part that it shows`() throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            [
                "proc/self/mountinfo": """
                32 31 0:29 /docker/abc /sys/fs/cgroup/cpu,cpuacct ro - cgroup cgroup rw,cpu,cpuacct
                35 31 0:32 /docker/abc /sys/fs/cgroup/my\\040memory ro master:7 - cgroup cgroup rw,memory
                41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw

                """,
                "proc/self/cgroup": "4:memory:/docker/abc/inner\n2:cpu,cpuacct:/docker/abc\n0::/\n",
                "sys/fs/cgroup/my memory/memory.limit_in_bytes": "9223372036854771712\n",  // none
                "sys/fs/cgroup/my memory/inner/memory.limit_in_bytes": "2147483648\n",
                "sys/fs/cgroup/my memory/inner/memory.usage_in_bytes": "1610612736\n",  // 1.5 GiB
                // The group's own pages alone, then with those of the groups in it: the second counts, 0.25
                // GiB.
                "sys/fs/cgroup/my memory/inner/memory.stat":
                    "inactive_file 4096\ntotal_inactive_file 268435456\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "250000\n",
                "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
            ]
        )
        let profile = tree.profile
        #expect(profile.memory.limit?.bytes == 2 * gibibyte)
        #expect(profile.memory.limit?.source == "/sys/fs/cgroup/my memory/inner/memory.limit_in_bytes")
        // 2 − (1.5 − 0.25) = 0.75
        #expect(profile.memory.available == 768 * mebibyte)
        #expect(profile.processor.coreQuota == 2.5)
        #expect(profile.processor.effectiveCores == 2)
    }

    @Test(
        arguments: [
            // a limit above the machine's memory limits nothing
            ("17179869185", "0", nil, 12 * gibibyte),
            ("max", "0", nil, 12 * gibibyte),
            ("-1", "0", nil, 12 * gibibyte),
            ("99999999999999999999", "0", nil, 12 * gibibyte),
            ("4 GiB", "0", nil, 12 * gibibyte),
            ("", "0", nil, 12 * gibibyte),
            // a group over its limit has nothing left
            ("1073741824", "1073741900", gibibyte, 0),
            ("0", "4096", 0, 0),
            // usage that cannot be read leaves the limit as the bound
            ("1073741824", "much", gibibyte, gibibyte),
        ] as [(String, String, Int64?, Int64)]
    )
    func `odd limits`(limit: String, usage: String, expected: Int64?, available: Int64) throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            DeviceTree.mounted(v2: "/"),
            ["sys/fs/cgroup/memory.max": limit, "sys/fs/cgroup/memory.current": usage]
        )
        #expect(tree.profile.memory.limit?.bytes == expected)
        #expect(tree.profile.memory.available == available)
    }

    @Test(arguments: [
        "/../sibling", "/gone (deleted)", "", "//", "/" + String(repeating: "a/", count: 30_000),
    ])
    func `a group that cannot be seen leaves the limits around it`(path: String) throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            DeviceTree.mounted(v2: path),
            ["sys/fs/cgroup/memory.max": "1073741824", "sys/fs/cgroup/memory.current": "0"]
        )
        #expect(tree.detector.availableMemory() == gibibyte)
    }
}
