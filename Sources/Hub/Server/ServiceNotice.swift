import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Tells the service manager that started the hub how it is (`sd_notify`): a datagram to the socket that
/// `NOTIFY_SOCKET` names. Does nothing where nobody listens.
struct ServiceNotice: Sendable {
    private let socket: String?
    /// How often the manager wants to hear that the hub is alive; half of what it allows.
    let watchdog: Duration?

    init(environment: [String: String]) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
        let isOurs = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        watchdog = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap {
            isOurs && $0 > 1 ? .microseconds($0 / 2) : nil
        }
    }

    func ready(_ status: String) { send("READY=1\nSTATUS=\(status)") }
    func stopping() { send("STOPPING=1") }
    func alive() { send("WATCHDOG=1") }

    private func send(_ text: String) {
        #if os(Linux)
        guard let socket else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var path = Array(socket.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // A name that begins with @ lies in no folder.
        if path.first == UInt8(ascii: "@") { path[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
        #endif
    }
}
