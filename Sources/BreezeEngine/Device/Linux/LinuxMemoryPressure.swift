#if os(Linux)
import Foundation
import Synchronization

/// Listens to the kernel's pressure stall information (PSI): the kernel wakes a thread when the tasks of a
/// control group, or of the machine, have waited for memory for too large a part of a window.
struct LinuxMemoryPressure: MemoryPressureSource {
    /// A file of PSI: `/proc/pressure/memory`, or a group's `memory.pressure`.
    let path: String

    var summary: String { path }

    /// In microseconds of a window: some tasks wait, or all do. The limits are GLib's (GMemoryMonitorPsi); a
    /// window of whole 2 seconds needs no privilege (kernel documentation, accounting/psi).
    static let triggers: [(level: MemoryPressure, text: String)] = [
        (.warning, "some 100000 2000000"), (.critical, "full 100000 2000000"),
    ]
    /// The kernel tells of the beginning alone: so long after the last event the pressure is over.
    static let calm: Int32 = 6_000

    /// The process's own group before the machine, for its pressure is nearer; a look at the free memory
    /// where the kernel tells nothing.
    static func bestSource(root: String = "/", hardware: any HardwareDetector) -> any MemoryPressureSource {
        let files = LinuxFiles(root: root)
        let base = root.hasSuffix("/") ? String(root.dropLast()) : root
        let limits = LinuxControlGroups(files: files).groups(limiting: "memory")
        let hasOldLimit = limits.contains { group in
            group.version == .v1
                && (files.integer(group.directory + "/memory.limit_in_bytes") ?? .max) < 1 << 60
        }
        if hasOldLimit {
            let reason = "a control group of version 1 limits it and tells nothing of pressure"
            return MemoryWatch(reason: reason, hardware: hardware)
        }
        let own = limits.first { $0.version == .v2 }.map { $0.directory + "/memory.pressure" }
        for path in [own, "/proc/pressure/memory"].compactMap(\.self) {
            let source = LinuxMemoryPressure(path: base + path)
            if source.isPermitted { return source }
        }
        let reason =
            files.text("/proc/pressure/memory") == nil
            ? "the kernel has no pressure stall information" : "the kernel takes no trigger from this user"
        return MemoryWatch(reason: reason, hardware: hardware)
    }

    private var isPermitted: Bool {
        guard let descriptors = open() else { return false }
        for descriptor in descriptors { close(descriptor) }
        return true
    }

    /// One descriptor a trigger, in the order of ``triggers``; closing it takes the trigger back.
    private func open() -> [Int32]? {
        var descriptors: [Int32] = []
        for trigger in Self.triggers {
            let descriptor = Foundation.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            let bytes = Array(trigger.text.utf8) + [0]
            guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
                for opened in descriptors + [descriptor] where opened >= 0 { close(opened) }
                return nil
            }
            descriptors.append(descriptor)
        }
        return descriptors
    }

    func levels() -> AsyncStream<MemoryPressure> {
        let (levels, continuation) = AsyncStream.makeStream(
            of: MemoryPressure.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        guard let ending = WakeUpCall() else {
            continuation.finish()
            return levels
        }
        guard let triggers = open() else {
            ending.close()
            continuation.finish()
            return levels
        }
        continuation.onTermination = { _ in ending.ring() }
        let thread = Thread {
            Self.listen(triggers, wake: ending.descriptor) { continuation.yield($0) }
            for descriptor in triggers { close(descriptor) }
            continuation.finish()
            ending.close()
        }
        thread.name = "breeze-pressure"
        thread.stackSize = 1 << 18
        thread.start()
        return levels
    }

    /// Returns when it is woken, or when the triggers went with their group.
    private static func listen(_ descriptors: [Int32], wake: Int32, tell: (MemoryPressure) -> Void) {
        var polled = (descriptors.map { ($0, POLLPRI) } + [(wake, POLLIN)]).map {
            pollfd(fd: $0.0, events: Int16($0.1), revents: 0)
        }
        var level = MemoryPressure.normal
        while true {
            let count = poll(&polled, nfds_t(polled.count), level == .normal ? -1 : calm)
            if count < 0 {
                if errno == EINTR { continue }
                return
            }
            if polled[descriptors.count].revents != 0 { return }
            if polled.contains(where: { $0.revents & Int16(POLLERR) != 0 }) { return }
            let fired = zip(polled, triggers).filter { $0.0.revents & Int16(POLLPRI) != 0 }.map(\.1.level)
            let found = fired.max() ?? .normal
            // Warnings go on while it is critical: it stays so until all is calm.
            let next = count == 0 ? .normal : max(level, found)
            if next != level { tell(next) }
            level = next
        }
    }
}

/// Wakes a thread that waits in poll(2). Ringing after the end does nothing.
private final class WakeUpCall: Sendable {
    /// Readable once it rang.
    let descriptor: Int32
    private let writer: Mutex<Int32?>

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        descriptor = ends[0]
        writer = Mutex(ends[1])
    }

    func ring() {
        writer.withLock { writer in
            var byte: UInt8 = 1
            if let writer { _ = write(writer, &byte, 1) }
        }
    }

    func close() {
        writer.withLock { writer in
            guard let open = writer else { return }
            _ = Foundation.close(open)
            _ = Foundation.close(descriptor)
            writer = nil
        }
    }
}
#endif
