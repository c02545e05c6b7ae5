#if Hub || Pairing
package import BreezeCore
import Foundation

extension HandoffFolder {
    /// Seconds that a reader may keep the writer waiting.
    private static let writePatience = 10

    /// Writes an answer to the socket where the app listens that asked with this nonce, and closes. Blocks its thread.
    /// - Returns: `false` where nobody listens there.
    /// - Throws: ``BreezeError`` `.invalidHandoff` where the socket is not this user's, `.payloadTooLarge`, and
    ///   `.inputOutput` where the reader went away.
    package func send(_ envelope: Envelope, to question: MessageNonce) throws(BreezeError) -> Bool {
        let bytes = envelope.bytes
        guard bytes.count <= limit else {
            throw SchemeFault.tooLarge("The answer has more than \(limit) bytes")
        }
        let name = "\(question.hexadecimal).sock"
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
            throw SchemeFault.handoff("the socket is none of this user")
        }
        guard let peer = try connected(name) else { return false }
        defer { close(peer) }
        guard Self.owner(of: peer) == geteuid() else {
            throw SchemeFault.handoff("another user listens at the socket")
        }
        try write(bytes, toSocket: peer)
        return true
    }

    /// `nil` where nobody listens.
    private func connected(_ name: String) throws(BreezeError) -> Int32? {
        #if os(Linux)
        // The folder that was checked, and a path that is short enough wherever it lies.
        let place = "/proc/self/fd/\(descriptor)/\(name)"
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        #else
        let place = "\(path)/\(name)"
        let kind = SOCK_STREAM
        #endif
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard place.utf8.count < room.count else { return false }
            room.copyBytes(from: place.utf8)
            return true
        }
        guard fits else { throw SchemeFault.handoff("the path of its socket is too long") }
        let peer = socket(AF_UNIX, kind, 0)
        guard peer >= 0 else { throw unwritten() }
        #if !os(Linux)
        var on: Int32 = 1
        setsockopt(peer, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(peer, F_SETFD, FD_CLOEXEC)
        #endif
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(peer, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            close(peer)
            return nil
        }
        return peer
    }

    private static func owner(of peer: Int32) -> uid_t? {
        #if os(Linux)
        // `struct ucred`, which glibc shows to GNU's C alone: process, user, group.
        var credentials: (Int32, uid_t, gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: credentials))
        return getsockopt(peer, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 ? credentials.1 : nil
        #else
        var (user, group) = (uid_t(), gid_t())
        return getpeereid(peer, &user, &group) == 0 ? user : nil
        #endif
    }

    private func write(_ bytes: [UInt8], toSocket peer: Int32) throws(BreezeError) {
        var patience = timeval(tv_sec: Self.writePatience, tv_usec: 0)
        setsockopt(peer, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        #if os(Linux)
        let flags = Int32(MSG_NOSIGNAL)
        #else
        let flags: Int32 = 0
        #endif
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes {
                Foundation.send(peer, $0.baseAddress, $0.count, flags)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw unwritten() }
            written += count
        }
    }
}
#endif
