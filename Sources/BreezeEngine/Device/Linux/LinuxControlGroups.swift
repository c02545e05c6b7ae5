/// The control groups that this process lives in, version 1 and 2: from its own group up to the outermost
/// that can be seen, since each of them may set a limit.
struct LinuxControlGroups: Sendable {
    enum Version: Sendable {
        case v1, v2
    }

    struct Group: Equatable, Sendable {
        let version: Version
        let directory: String
    }

    private struct Mount: Sendable {
        let version: Version
        let controllers: [Substring]
        /// Which group of the hierarchy the mount point shows: not `/` in a container that sees its host's
        /// paths.
        let root: String
        let point: String
    }

    private let files: LinuxFiles
    private let mounts: [Mount]

    /// The mounts are read once, here, because the table is long on a machine with many containers; which
    /// group the process is in is read at each question.
    init(files: LinuxFiles) {
        self.files = files
        mounts = (files.text("/proc/self/mountinfo", limit: 1 << 20) ?? "")
            .split(separator: "\n")
            .compactMap(Self.mount)
    }

    /// The groups in which `controller` may limit this process, each inner one before the one around it.
    func groups(limiting controller: String) -> [Group] {
        guard !mounts.isEmpty, let membership = files.text("/proc/self/cgroup") else { return [] }
        // hierarchy-ID:controller-list:path, as cgroups(7) has it; version 2 has an empty list
        let lines = membership.split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }
        return mounts.flatMap { mount -> [Group] in
            let own = lines.first { fields in
                guard fields.count == 3 else { return false }
                guard mount.version == .v1 else { return fields[0] == "0" && fields[1].isEmpty }
                return mount.controllers.contains(controller[...])
                    && fields[1].split(separator: ",").contains(controller[...])
            }
            guard let own else { return [] }
            return Self.directories(from: own[2], in: mount).map {
                Group(version: mount.version, directory: $0)
            }
        }
    }

    private static func directories(from path: Substring, in mount: Mount) -> [String] {
        var names = path.split(separator: "/")
        let above = mount.root.split(separator: "/")
        if names.starts(with: above) {
            names.removeFirst(above.count)
        } else {
            names = []  // the process moved out of what is mounted here; the mount's own limits still count
        }
        // A path above the own namespace reads "/../other", which the mount does not show. Longer paths than
        // PATH_MAX are no paths.
        if names.contains("..") || path.utf8.count > 4096 { names = [] }
        return (0...names.count).reversed().map { depth in
            ([mount.point] + names.prefix(depth).map(String.init)).joined(separator: "/")
        }
    }

    /// One line of proc_pid_mountinfo(5): `36 35 0:30 ROOT POINT OPTIONS… - TYPE SOURCE SUPER_OPTIONS`.
    private static func mount(_ line: Substring) -> Mount? {
        let fields = line.split(separator: " ")
        guard let dash = fields.firstIndex(of: "-"), dash > 4, fields.count > dash + 3 else { return nil }
        let version: Version
        switch fields[dash + 1] {
        case "cgroup": version = .v1
        case "cgroup2": version = .v2
        default: return nil
        }
        let point = unescaped(fields[4])
        return Mount(
            version: version,
            controllers: fields[dash + 3].split(separator: ","),
            root: unescaped(fields[3]),
            point: point == "/" ? "" : point
        )
    }

    /// The kernel writes blanks and backslashes as three octal digits.
    private static func unescaped(_ field: Substring) -> String {
        guard field.contains("\\") else { return String(field) }
        return [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")].reduce(String(field)) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
