/// Memory of a Linux machine: the kernel's estimate of what is available, narrowed by each control group.
struct LinuxMemory: Sendable {
    let files: LinuxFiles
    let groups: LinuxControlGroups

    func read() -> DeviceProfile.Memory {
        let table = files.text("/proc/meminfo") ?? ""
        let total = Self.kibibytes("MemTotal", in: table)
        var memory = DeviceProfile.Memory(total: total, available: Self.kibibytes("MemAvailable", in: table))
        for group in groups.groups(limiting: "memory") {
            guard let limit = limit(of: group, below: total ?? .max) else { continue }
            if limit.bytes < memory.limit?.bytes ?? .max { memory.limit = limit }
            // Without the kernel's estimate the groups alone could promise memory that the machine lacks.
            guard let available = memory.available else { continue }
            memory.available = min(available, headroom(of: group, under: limit.bytes))
        }
        if let total, let available = memory.available { memory.available = min(available, total) }
        return memory
    }

    /// `memory.high` counts like a limit: beyond it the kernel slows the process down until nothing moves.
    private func limit(of group: LinuxControlGroups.Group, below total: Int64) -> DeviceProfile.Memory.Limit?
    {
        let names =
            switch group.version {
            case .v1: ["memory.limit_in_bytes"]
            case .v2: ["memory.max", "memory.high"]
            }
        // Version 1 says "none" with the largest number of whole pages, version 2 with the word "max".
        let limits = names.compactMap { name -> DeviceProfile.Memory.Limit? in
            let path = group.directory + "/" + name
            guard let bytes = files.integer(path), bytes >= 0, bytes < min(total, 1 << 62) else { return nil }
            return DeviceProfile.Memory.Limit(bytes: bytes, source: path)
        }
        return limits.min { $0.bytes < $1.bytes }
    }

    /// The limit less what the group uses; pages of files that were read once and not again are not counted
    /// as used, because the kernel drops them before it refuses memory.
    private func headroom(of group: LinuxControlGroups.Group, under limit: Int64) -> Int64 {
        let (usage, keys) =
            switch group.version {
            case .v1: ("/memory.usage_in_bytes", ["total_inactive_file", "inactive_file"])
            case .v2: ("/memory.current", ["inactive_file"])
            }
        let used = max(0, files.integer(group.directory + usage) ?? 0)
        let statistics = files.text(group.directory + "/memory.stat") ?? ""
        let reclaimable = keys.lazy
            .compactMap { LinuxFiles.field($0, in: statistics) }
            .compactMap { Int64($0) }
            .first { $0 >= 0 }
        return max(0, limit - max(0, used - min(used, reclaimable ?? 0)))
    }

    private static func kibibytes(_ key: String, in table: String) -> Int64? {
        let number = LinuxFiles.field(key, in: table)?.prefix { $0 != " " }
        guard let count = number.flatMap({ Int64($0) }), count >= 0, count <= .max >> 10 else { return nil }
        return count << 10
    }
}
