package import Foundation

/// What the system says of a file, following links.
package enum FileStatus {
    /// `nil` where there is no regular file.
    package static func size(of url: URL) -> Int64? {
        guard let status = status(of: url), status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }

    /// Nanoseconds since 1970; `nil` where there is nothing.
    package static func modified(_ url: URL) -> Int64? {
        guard let status = status(of: url) else { return nil }
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func status(of url: URL) -> stat? {
        var status = stat()
        return stat(url.path, &status) == 0 ? status : nil
    }
}
