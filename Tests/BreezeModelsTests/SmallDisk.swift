import BreezeTestSupport
import Foundation

/// A file system in memory, small enough to run full. Making one is a privilege, so the tests that want it
/// ask first.
struct SmallDisk {
    let url: URL

    struct Refused: Error {}

    init(at url: URL, megabytes: Int) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let arguments = ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", url.path]
        guard Self.run("/bin/mount", arguments) else { throw Refused() }
        self.url = url
    }

    func unmount() {
        _ = Self.run("/bin/umount", [url.path])
    }

    /// Tried once: a container's root often lacks the right.
    static let isAvailable: Bool = {
        guard let folder = try? ScratchFolder(), let disk = try? SmallDisk(at: folder.url, megabytes: 1)
        else {
            return false
        }
        disk.unmount()
        return true
    }()

    private static func run(_ program: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
