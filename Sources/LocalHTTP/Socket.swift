import Foundation

/// The system's sockets: none of these calls waits.
enum Socket {
    enum Connecting {
        case done
        /// Writable once it is known.
        case underWay
        /// The listener's queue is full.
        case later
    }

    static func make(_ address: LocalAddress) throws(LocalHTTPFailure) -> Int32 {
        let family =
            switch address {
            case .socket: AF_UNIX
            case .loopback(.version4, _): AF_INET
            case .loopback(.version6, _): AF_INET6
            }
        #if canImport(Darwin)
        let descriptor = socket(family, SOCK_STREAM, 0)
        #else
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw .notThere(words(errno)) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if canImport(Darwin)
        // A write to a connection that is over must not end the app.
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return descriptor
    }

    static func connect(_ descriptor: Int32, to address: LocalAddress) throws(LocalHTTPFailure) -> Connecting
    {
        let outcome =
            switch address {
            case .socket(let path): try connect(descriptor, path: path)
            case .loopback(.version4, let port): connect(descriptor, port4: port)
            case .loopback(.version6, let port): connect(descriptor, port6: port)
            }
        guard outcome != 0 else { return .done }
        switch errno {
        case EINPROGRESS, EINTR: return .underWay
        case EAGAIN: return .later
        default: throw .notThere(words(errno))
        }
    }

    private static func connect(_ descriptor: Int32, path: String) throws(LocalHTTPFailure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path),
            !bytes.contains(0)
        else { throw .notThere("its path is no socket's") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return call(descriptor, &address)
    }

    private static func connect(_ descriptor: Int32, port4 port: UInt16) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return call(descriptor, &address)
    }

    private static func connect(_ descriptor: Int32, port6 port: UInt16) -> Int32 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return call(descriptor, &address)
    }

    private static func call<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                Foundation.connect(descriptor, address, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// Why a connection that was under way did not come about; 0 where it did.
    static func fault(_ descriptor: Int32) -> Int32 {
        var (fault, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &fault, &size) == 0 ? fault : errno
    }

    /// Bytes that were taken; below 0 with `errno`.
    static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        return bytes.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
    }

    /// As a clause for people.
    static func words(_ number: Int32) -> String {
        switch number {
        case ENOENT: "nothing is there"
        case ECONNREFUSED: "nobody listens there"
        case EACCES, EPERM: "this program may not use it"
        default: "the system says: \(String(cString: strerror(number)).lowercased())"
        }
    }
}
