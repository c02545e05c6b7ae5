import Foundation

/// Sockets to listen at.
extension ScriptedServer {
    #if os(Linux)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    /// A client that went away is an error, and no signal.
    static let quietly = Int32(MSG_NOSIGNAL)
    #else
    private static let stream = SOCK_STREAM
    static let quietly: Int32 = 0
    #endif

    static func listen(at path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, stream, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    && Foundation.listen(listener, 16) == 0
            }
        }
        guard bound else { throw CocoaError(.fileWriteUnknown) }
        return listener
    }

    static func listenOnLoopback() throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, size) == 0 && Foundation.listen(listener, 16) == 0
                    && getsockname(listener, raw, &size) == 0
            }
        }
        guard bound else { throw CocoaError(.fileWriteUnknown) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}
