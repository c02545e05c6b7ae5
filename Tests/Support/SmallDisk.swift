package import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// A file system in memory, small enough to run full. Making one is a privilege, so the tests that want it
/// ask first.
package struct SmallDisk: Sendable {
    package let url: URL

    struct Refused: Error {}

    package init(at url: URL, megabytes: Int) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        #if os(Linux)
        guard mount("tmpfs", url.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else { throw Refused() }
        self.url = url
        #else
        throw Refused()
        #endif
    }

    package func unmount() {
        #if os(Linux)
        _ = umount(url.path)
        #endif
    }

    /// Tried once: a container's root often lacks the right.
    package static let isAvailable: Bool = {
        guard let folder = try? ScratchFolder(), let disk = try? SmallDisk(at: folder.url, megabytes: 1)
        else {
            return false
        }
        disk.unmount()
        return true
    }()
}
