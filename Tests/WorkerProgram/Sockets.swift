import Foundation

enum Sockets {
    /// What becomes of sockets of several families, one line each: `inet EACCES`.
    static func attempts() -> String {
        let families: [(String, Int32)] = [("inet", AF_INET), ("inet6", AF_INET6), ("unix", AF_UNIX)]
        let made = families.map { name, family in
            #if os(Linux)
            let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
            #else
            let descriptor = socket(family, SOCK_STREAM, 0)
            #endif
            let outcome = descriptor >= 0 ? "made" : errno == EACCES ? "EACCES" : "errno \(errno)"
            if descriptor >= 0 { close(descriptor) }
            return "\(name) \(outcome)"
        }
        return (made + ["connect \(connectToLoopback())"]).joined(separator: "\n")
    }

    /// Through Foundation's resolver-free way: what a runtime would do to call home.
    private static func connectToLoopback() -> String {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(9).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        #if os(Linux)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { if descriptor >= 0 { close(descriptor) } }
        let outcome = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if outcome == 0 { return "went through" }
        return errno == EBADF ? "had no socket" : errno == ECONNREFUSED ? "was refused" : "errno \(errno)"
    }
}
