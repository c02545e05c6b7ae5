#if Hub
import Foundation

/// What tells one file from another, and from itself after a change; of a link, the link's own.
struct FileStamp: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case file, directory, link, other
    }

    var kind: Kind
    var inode: Int64
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64

    /// Of what came without a file.
    init(size: Int, modified: Int64) {
        (kind, inode, self.size, self.modified) = (.other, 0, Int64(size), modified)
    }

    /// `nil` where there is nothing, or nothing that may be looked at; `errno` says which.
    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        inode = Int64(bitPattern: UInt64(status.st_ino))
        size = Int64(status.st_size)
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Nanoseconds since 1970 by the clock that file systems use.
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
#endif
