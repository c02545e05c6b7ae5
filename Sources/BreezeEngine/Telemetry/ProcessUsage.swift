import Foundation

/// What this process has taken of the machine.
struct ProcessUsage {
    /// Processor time in seconds, over all threads, in user mode and in the kernel.
    let processorSeconds: Double
    /// Memory in bytes that is in RAM now; `nil` where the system does not say.
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
            residentBytes: residentBytes
        )
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }

    #if canImport(Darwin)
    private static var residentBytes: Int64? {
        var info = mach_task_basic_info()
        var count = mach_msg_type_number_t(
            MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size
        )
        let result = withUnsafeMutablePointer(to: &info) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
            }
        }
        return result == KERN_SUCCESS ? Int64(clamping: info.resident_size) : nil
    }
    #else
    /// proc_pid_statm(5): the second number is what is resident, in pages.
    private static var residentBytes: Int64? {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
        let numbers = text.split(separator: " ")
        guard numbers.count > 1, let pages = Int64(numbers[1]) else { return nil }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
    #endif
}
