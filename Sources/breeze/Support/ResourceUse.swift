import Foundation

/// What this process and those that it started have taken of the machine so far.
struct ResourceUse: Sendable {
    /// In user mode and in the kernel, over all threads; of what runs still on Linux alone.
    let processorSeconds: Double
    /// The most memory that this process alone ever held.
    let peakResidentBytes: Int64

    static var current: ResourceUse {
        #if canImport(Glibc)
        let (own, ended) = (
            usage(__rusage_who_t(RUSAGE_SELF.rawValue)), usage(__rusage_who_t(RUSAGE_CHILDREN.rawValue))
        )
        #else
        let (own, ended) = (usage(RUSAGE_SELF), usage(RUSAGE_CHILDREN))
        #endif
        #if canImport(Darwin)
        let peak = Int64(own.ru_maxrss)
        #else
        let peak = Int64(own.ru_maxrss) * 1024
        #endif
        return ResourceUse(
            processorSeconds: seconds(own) + seconds(ended) + ProcessTimes.running(below: getpid()),
            peakResidentBytes: peak
        )
    }

    #if canImport(Glibc)
    private static func usage(_ who: __rusage_who_t) -> rusage {
        var usage = rusage()
        getrusage(who, &usage)
        return usage
    }
    #else
    private static func usage(_ who: Int32) -> rusage {
        var usage = rusage()
        getrusage(who, &usage)
        return usage
    }
    #endif

    private static func seconds(_ usage: rusage) -> Double {
        let (user, system) = (usage.ru_utime, usage.ru_stime)
        return Double(user.tv_sec) + Double(system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6
    }
}

/// A line of proc_pid_stat(5): whose child a process is, and the processor time of it and of its own children that ended.
struct ProcessTimes {
    let parent: Int32
    let ticks: Int

    /// The name stands between parentheses and may hold anything, even those.
    init?(stat: String) {
        guard let end = stat.lastIndex(of: ")") else { return nil }
        // Fields from the third on: state, parent, …; the 14th to the 17th are times.
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 14, let parent = Int32(fields[1]) else { return nil }
        let times = fields[11...14].compactMap { Int($0) }
        guard times.count == 4 else { return nil }
        self.parent = parent
        ticks = times.reduce(0, +)
    }

    /// Seconds of the processes that a process started and that run still, and of theirs. 0 where the system does not
    /// say.
    static func running(below process: Int32) -> Double {
        #if os(Linux)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var known: [Int32: ProcessTimes] = [:]
        for number in names.compactMap({ Int32($0) }) {
            guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else {
                continue
            }
            known[number] = ProcessTimes(stat: text)
        }
        let children = Dictionary(grouping: known.keys) { known[$0]?.parent ?? 0 }
        var (ticks, open, seen) = (0, children[process] ?? [], Set<Int32>())
        while let next = open.popLast() {
            guard seen.insert(next).inserted else { continue }
            ticks += known[next]?.ticks ?? 0
            open += children[next] ?? []
        }
        return Double(ticks) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        #else
        return 0
        #endif
    }
}
