package import BreezeCore
package import Foundation

/// Turns an `errno` into the error that a caller sees.
package enum FileFault {
    package static func reading(_ url: URL, _ number: Int32) -> BreezeError {
        let remedy =
            number == EACCES ? "Make it readable for your user." : "Check that it is there, and a file."
        return BreezeError(.inputOutput, "\(url.path) cannot be read: \(text(number)).", remedy: remedy)
    }

    package static func writing(_ url: URL, _ number: Int32) -> BreezeError {
        guard number == ENOSPC || number == EDQUOT else {
            return BreezeError(
                .inputOutput,
                "\(url.path) cannot be written: \(text(number)).",
                remedy: "Check the folder's permissions, or set BREEZE_HOME to another one."
            )
        }
        return noSpace(url, "is full")
    }

    /// `needed` are the bytes that the whole operation wants to write.
    package static func noSpace(at url: URL, needed: Int64, free: Int64) -> BreezeError {
        noSpace(url, "is too full: \(needed) bytes are needed and \(free) are free")
    }

    private static func noSpace(_ url: URL, _ fault: String) -> BreezeError {
        BreezeError(
            .insufficientDisk,
            "The disk that holds \(url.path) \(fault).",
            remedy: "Free some space there, or set BREEZE_HOME to a folder on another disk."
        )
    }

    private static func text(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
