import BreezeCore
import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// The place of a Unix socket.
enum LocalSocket {
    /// - Throws: ``BreezeError`` where something lies there that is not ours to remove: a file, or the socket of a
    ///   program that lives.
    static func checkFree(_ url: URL) throws {
        let folder = url.deletingLastPathComponent().path
        guard FileManager.default.isWritableFile(atPath: folder) else {
            throw BreezeError(
                .inputOutput,
                "The socket cannot be made: \(folder) is no folder that may be written.",
                remedy: "Give another path: --socket"
            )
        }
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.path) else { return }
        guard found[.type] as? FileAttributeType == .typeSocket else {
            throw BreezeError(
                .invalidRequest,
                "\(url.path) is there already, and is no socket.",
                remedy: "Give another path: --socket"
            )
        }
        guard isAnswered(url.path) else { return }
        throw BreezeError(
            .busy,
            "Another program listens on \(url.path).",
            remedy: "Give another path: --socket"
        )
    }

    private static func isAnswered(_ path: String) -> Bool {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
