package import Foundation

/// Room on file systems.
package enum DiskSpace {
    /// Bytes that this user may still write on the file system that holds `url`; `nil` where it does not say.
    package static func freeBytes(at url: URL) -> Int64? {
        var status = statvfs()
        guard statvfs(url.path, &status) == 0 else { return nil }
        let bytes = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return bytes.overflow ? .max : Int64(clamping: bytes.partialValue)
    }
}
