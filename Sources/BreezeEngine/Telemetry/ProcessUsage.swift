import Foundation

/// What this process has taken of the machine.
struct ProcessUsage {
    /// Processor time in seconds, over all threads, in user mode and in the kernel.
    let processorSeconds: Double
    /// As ``ProcessMemory`` counts it; `nil` where the system does not say.
    let residentBytes: Int64?

    static var current: ProcessUsage {
        var usage = rusage()
        #if canImport(Glibc)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        #else
        getrusage(RUSAGE_SELF, &usage)
        #endif
        return ProcessUsage(
            processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            residentBytes: SystemProcessMemory().resident()
        )
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
}
