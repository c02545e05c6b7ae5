import Foundation

/// What a piece of work takes of this process, all its threads together.
struct Stopwatch {
    private let cpu = Self.now(CLOCK_PROCESS_CPUTIME_ID)
    private let wall = Self.now(CLOCK_MONOTONIC)

    var cpuSeconds: Double { Self.now(CLOCK_PROCESS_CPUTIME_ID) - cpu }

    var figures: Figures {
        Figures(
            cpuSeconds: cpuSeconds,
            wallSeconds: Self.now(CLOCK_MONOTONIC) - wall,
            resident: Self.resident
        )
    }

    private static func now(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// `nil` where the system has no /proc.
    private static var resident: Int? {
        let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return statm?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            .map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
