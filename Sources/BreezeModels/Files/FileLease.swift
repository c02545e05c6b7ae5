import BreezeCore
public import Foundation

/// Says to every process that files are in use, for as long as it lives: the store does not remove them meanwhile. The
/// system ends it with its process.
public final class FileLease: Sendable {
    private let descriptors: [Int32]

    /// Files that cannot be opened are left out: whoever reads them says so.
    public init(_ files: [URL]) {
        descriptors = files.compactMap { file in
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            flock(descriptor, LOCK_SH | LOCK_NB)
            return descriptor
        }
    }

    /// Closing also unlocks.
    deinit { for descriptor in descriptors { close(descriptor) } }

    /// Whether somebody has a lease of the file.
    static func isHeld(_ file: URL) -> Bool {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
