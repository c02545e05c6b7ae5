#if Hub
import NIOCore

#if canImport(Glibc)
import Glibc
#endif

/// Who is at the other end of a Unix socket. It labels the audit and keeps other users out; it authorises nothing.
struct PeerCredentials: Hashable, Sendable {
    let user: UInt32
    let process: Int32

    #if os(Linux)
    /// The kernel's `struct ucred`.
    private struct Kernel {
        var process: Int32
        var user: UInt32
        var group: UInt32
    }
    #endif

    /// Answers for a Unix socket alone, and where the system tells.
    static func ask(_ channel: any Channel, _ answer: @escaping @Sendable (PeerCredentials) -> Void) {
        #if os(Linux)
        guard case .unixDomainSocket = channel.localAddress, let socket = channel as? any SocketOptionProvider
        else { return }
        let option = NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        let found = socket.unsafeGetSocketOption(level: .socket, name: option) as EventLoopFuture<Kernel>
        found.whenSuccess { answer(PeerCredentials(user: $0.user, process: $0.process)) }
        #endif
    }
}
#endif
