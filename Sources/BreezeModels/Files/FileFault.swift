import BreezeCore
import Foundation

/// Turns an `errno` into the error that a caller sees.
enum FileFault {
    static func reading(_ url: URL, _ number: Int32) -> BreezeError {
        let remedy =
            number == EACCES ? "Make it readable for your user." : "Check that it is there, and a file."
        return BreezeError(.inputOutput, "\(url.path) cannot be read: \(text(number)).", remedy: remedy)
    }

    /// `needed` are the bytes that the whole operation wants to write, where they are known.
    static func writing(_ url: URL, _ number: Int32, needed: Int64? = nil) -> BreezeError {
        guard number == ENOSPC || number == EDQUOT else {
            return BreezeError(
                .inputOutput,
                "\(url.path) cannot be written: \(text(number)).",
                remedy: "Check the folder's permissions, or set BREEZE_HOME to another one."
            )
        }
        return noSpace(at: url, needed: needed, free: freeBytes(at: url.deletingLastPathComponent()))
    }

    static func noSpace(at url: URL, needed: Int64?, free: Int64?) -> BreezeError {
        let need = needed.map { "\($0) bytes are needed" } ?? "there is no space left"
        let rest = free.map { " and \($0) are free" } ?? ""
        return BreezeError(
            .insufficientDisk,
            "The disk that holds \(url.path) is too full: \(need)\(rest).",
            remedy: "Free some space there, or set BREEZE_HOME to a folder on another disk."
        )
    }

    /// Bytes that this user may still write on the file system that holds `url`.
    static func freeBytes(at url: URL) -> Int64? {
        var status = statvfs()
        guard statvfs(url.path, &status) == 0 else { return nil }
        return Int64(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
                .partialValue
        )
    }

    private static func text(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
