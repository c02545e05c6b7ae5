#if canImport(Darwin)
import Darwin
#else
import Foundation
#endif

/// Bytes of memory that this process holds.
public protocol ProcessMemory: Sendable {
    /// Read now; `nil` where the system does not tell.
    func resident() -> Int64?
}

/// Gives freed memory back to the system, which glibc's allocator would keep for the next one to ask; the
/// allocators of other systems do so by themselves.
func returnFreedMemory() {
    #if canImport(Glibc)
    // Looked up, since Swift's module of the C library leaves malloc.h out.
    guard let symbol = dlsym(nil, "malloc_trim") else { return }
    let trim = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)
    _ = trim(0)
    #endif
}

/// Asks the system.
public struct SystemProcessMemory: ProcessMemory {
    public init() {}

    public func resident() -> Int64? {
        #if canImport(Darwin)
        var usage = task_vm_info_data_t()
        var count = mach_msg_type_number_t(
            MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<integer_t>.size
        )
        let status = withUnsafeMutablePointer(to: &usage) { pointer in
            pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), $0, &count)
            }
        }
        return status == KERN_SUCCESS ? Int64(clamping: usage.phys_footprint) : nil
        #else
        // proc_pid_statm(5): size, resident, shared, … in pages.
        let fields = LinuxFiles(root: "/").text("/proc/self/statm")?.split(separator: " ") ?? []
        guard fields.count > 1, let pages = Int64(fields[1]) else { return nil }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
        #endif
    }
}
