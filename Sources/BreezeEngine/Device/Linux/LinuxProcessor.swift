/// Cores, quotas and vector extensions of a Linux machine.
struct LinuxProcessor: Sendable {
    let files: LinuxFiles
    let groups: LinuxControlGroups

    func read() -> DeviceProfile.Processor {
        let description = files.text("/proc/cpuinfo") ?? ""
        let mask = LinuxFiles.field("Cpus_allowed_list", in: files.text("/proc/self/status") ?? "")
            .flatMap(Self.numbers)
        // A program that runs has a core, so one is the least even where the kernel's files tell nothing.
        let online =
            files.value("/sys/devices/system/cpu/online").flatMap { Self.numbers($0[...]) } ?? mask ?? [0]
        // The mask may name cores that do not exist or are switched off.
        let allowed = mask.map { $0.intersection(online) } ?? online
        return DeviceProfile.Processor(
            model: LinuxFiles.field("model name", in: description).map(String.init),
            logicalCores: online.count,
            performanceCores: performanceCores(among: online),
            allowedCores: max(1, allowed.count),
            coreQuota: quota(),
            instructionSets: Self.instructionSets(in: description)
        )
    }

    /// Intel's hybrids list their fast cores; ARM's tell each core's capacity, and all but the weakest count.
    private func performanceCores(among online: Set<Int>) -> Int? {
        if let fast = files.value("/sys/devices/cpu_core/cpus").flatMap({ Self.numbers($0[...]) }) {
            return fast.intersection(online).count
        }
        let capacities = online.compactMap { files.integer("/sys/devices/system/cpu/cpu\($0)/cpu_capacity") }
        guard capacities.count == online.count, let weakest = capacities.min() else { return nil }
        let faster = capacities.filter { $0 > weakest }.count
        return faster > 0 ? faster : nil
    }

    private func quota() -> Double? {
        groups.groups(limiting: "cpu").compactMap { group -> Double? in
            let quota: Int64?
            let period: Int64?
            switch group.version {
            case .v1:
                quota = files.integer(group.directory + "/cpu.cfs_quota_us")
                period = files.integer(group.directory + "/cpu.cfs_period_us")
            case .v2:  // "QUOTA PERIOD", where the quota may be "max"
                let fields = (files.value(group.directory + "/cpu.max") ?? "").split(separator: " ")
                quota = fields.first.flatMap { Int64($0) }
                period = fields.count == 2 ? Int64(fields[1]) : nil
            }
            guard let quota, let period, quota > 0, period > 0 else { return nil }
            return Double(quota) / Double(period)
        }.min()
    }

    /// A list such as `0-3,8,10-11`. `nil` where it is none, or names more cores than any kernel supports.
    static func numbers(_ list: Substring) -> Set<Int>? {
        var numbers: Set<Int> = []
        for part in list.split(separator: ",") {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard let first = ends[0], let last = ends[ends.count - 1], ends.count <= 2, first >= 0,
                first <= last, last < 1 << 16
            else { return nil }
            numbers.formUnion(first...last)
        }
        return numbers.isEmpty ? nil : numbers
    }

    /// The first core's flags: the kernel hides what not all cores can do.
    private static func instructionSets(in description: String) -> [DeviceProfile.InstructionSet] {
        guard
            let line = LinuxFiles.field("flags", in: description)
                ?? LinuxFiles.field("Features", in: description)
        else { return [] }
        let flags = Set(line.split(separator: " "))
        let required: [(DeviceProfile.InstructionSet, Set<Substring>)] = [
            (.sse42, ["sse4_2"]),
            (.avx2, ["avx2"]),
            (.avx512, ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"]),
            (.avx512VNNI, ["avx512_vnni"]),
            (.amx, ["amx_tile", "amx_int8"]),
            (.neon, ["asimd"]),
            (.neon, ["neon"]),  // its name on 32-bit ARM
            (.dotProduct, ["asimddp"]),
            (.int8MatrixMultiply, ["i8mm"]),
            (.sve, ["sve"]),
        ]
        return required.filter { $0.1.isSubset(of: flags) }.map(\.0)
    }
}
