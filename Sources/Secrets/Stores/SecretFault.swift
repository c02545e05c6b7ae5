import BreezeCore
import Foundation

/// What goes wrong with the files that hold secrets. No message holds a value.
enum SecretFault {
    static func reading(_ path: String, _ number: Int32) -> BreezeError {
        if number == ELOOP { return isLink(path) }
        return BreezeError(
            .inputOutput,
            "\(path) cannot be read: \(text(number)).",
            remedy: "Check its permissions."
        )
    }

    static func writing(_ path: String, _ number: Int32) -> BreezeError {
        if number == ELOOP { return isLink(path) }
        if number == ENOSPC || number == EDQUOT {
            return BreezeError(
                .insufficientDisk,
                "The disk that holds \(path) is full: nothing was changed.",
                remedy: "Free some space there, then try again."
            )
        }
        return BreezeError(
            .inputOutput,
            "\(path) cannot be written: \(text(number)).",
            remedy: "Check the folder's permissions, or set BREEZE_HOME to another one."
        )
    }

    static func isLink(_ path: String) -> BreezeError {
        refused(path, "is a link, and secrets are kept behind none", remedy: "Remove the link: rm \(path)")
    }

    static func otherOwner(_ path: String) -> BreezeError {
        refused(path, "belongs to another user", remedy: "Remove it, then set the secrets again.")
    }

    static func open(_ path: String, mode: mode_t, to correct: String) -> BreezeError {
        refused(
            path,
            "is open to other users (mode 0\(String(mode & 0o777, radix: 8)))",
            remedy: "Run chmod \(correct) \(path), and get new keys where somebody may have read it."
        )
    }

    static func noFile(_ path: String) -> BreezeError {
        refused(path, "is no regular file", remedy: "Remove it: rm -r \(path)")
    }

    static func tooLong(_ path: String, _ limit: Int) -> BreezeError {
        refused(path, "is longer than \(limit) bytes", remedy: "Remove it, then set the secrets again.")
    }

    /// The box cannot be opened with the key beside it.
    static func sealed(_ path: String, _ why: String) -> BreezeError {
        refused(
            path,
            "cannot be opened: \(why)",
            remedy: "Remove it (rm \(path)), then set the secrets again."
        )
    }

    private static func refused(_ path: String, _ why: String, remedy: String) -> BreezeError {
        BreezeError(.invalidFile, "\(path) \(why).", remedy: remedy)
    }

    private static func text(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
