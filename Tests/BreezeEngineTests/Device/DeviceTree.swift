import BreezeEngine
import Foundation

/// A root folder with the kernel's files as a test wants them; it goes away with the value.
final class DeviceTree {
    let root: URL

    init(_ files: [String: String]...) throws {
        root = FileManager.default.temporaryDirectory.appending(path: "breeze-device-\(UUID().uuidString)")
        for (path, text) in files.joined() {
            try write(text, to: path)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    func write(_ text: String, to path: String) throws {
        try write(Data(text.utf8), to: path)
    }

    func write(_ data: Data, to path: String) throws {
        let file = root.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: file)
    }

    var detector: LinuxHardwareDetector { LinuxHardwareDetector(root: root.path) }
    var profile: DeviceProfile { detector.detectCapabilities() }
}

extension DeviceTree {
    /// 16 GiB, of which 12 GiB are available; 8 cores.
    static let machine = [
        "etc/os-release": """
        PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"
        NAME="Debian GNU/Linux"
        VERSION_ID="12"
        VERSION="12 (bookworm)"
        ID=debian

        """,
        "proc/sys/kernel/osrelease": "6.1.0-18-amd64\n",
        "proc/meminfo": """
        MemTotal:       16777216 kB
        MemFree:         1048576 kB
        MemAvailable:   12582912 kB
        Buffers:          262144 kB

        """,
        "proc/cpuinfo": """
        processor\t: 0
        model name\t: Intel(R) Core(TM) i7-8565U CPU @ 1.80GHz
        flags\t\t: fpu sse sse2 ssse3 sse4_1 sse4_2 avx f16c avx2 fma
        vmx flags\t: vnmi preemption_timer

        """,
        "proc/self/status": "Name:\tbreeze\nCpus_allowed:\tff\nCpus_allowed_list:\t0-7\n",
        "sys/devices/system/cpu/online": "0-7\n",
    ]

    static func mounted(v2 group: String) -> [String: String] {
        [
            "proc/self/mountinfo": """
            24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            31 24 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate

            """,
            "proc/self/cgroup": "0::\(group)\n",
        ]
    }
}
