#if Hub
package import BreezeCore
import Foundation
import GRDB

extension BreezeError.Code {
    /// A later release of Breeze has written this file, and this one cannot read it.
    package static let newerSchema = Self(rawValue: "newer_schema")
}

/// What can be wrong with a store's file, for a person.
enum StoreFault {
    static func newer(_ path: String, content: String, theirs: Int, ours: Int) -> BreezeError {
        BreezeError(
            .newerSchema,
            "\(path) holds \(content) in version \(theirs), and this Breeze knows version \(ours).",
            remedy: "Update Breeze, or set BREEZE_HOME to another folder; nothing was changed."
        )
    }

    static func foreign(_ path: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "\(path) is another program's database.",
            remedy: "Move it elsewhere, or set BREEZE_HOME to another folder; nothing was changed."
        )
    }

    static func link(_ path: String) -> BreezeError {
        BreezeError(
            .inputOutput,
            "\(path) is a link or of another kind than it should be.",
            remedy: "Move it away; Breeze makes its own."
        )
    }

    static func otherOwner(_ path: String) -> BreezeError {
        BreezeError(
            .inputOutput,
            "\(path) belongs to another user.",
            remedy: "Run Breeze as that user, or set BREEZE_HOME to a folder of your own."
        )
    }

    static func open(_ path: String, mode: UInt32, to wanted: String) -> BreezeError {
        BreezeError(
            .inputOutput,
            "\(path) lets other users in: its mode is \(String(mode & 0o777, radix: 8)).",
            remedy: "Close it: chmod \(wanted) '\(path)'"
        )
    }

    static func held(_ path: String, seconds: Int) -> BreezeError {
        BreezeError(
            .busy,
            "Another Breeze has been checking \(path) for \(seconds) s.",
            remedy: "Wait until it is done, then try again.",
            retryAfter: .seconds(5)
        )
    }

    static func exists(_ path: String) -> BreezeError {
        BreezeError(
            .inputOutput,
            "\(path) is there already, and a backup replaces nothing.",
            remedy: "Name another file."
        )
    }

    static func system(_ path: String, _ number: Int32) -> BreezeError {
        let reason = String(cString: strerror(number))
        guard number == ENOSPC || number == EDQUOT else {
            return BreezeError(
                .inputOutput,
                "\(path) cannot be used: \(reason).",
                remedy: "Check the permissions, or set BREEZE_HOME to another folder."
            )
        }
        return full(path, underlying: nil)
    }

    /// Whether the file itself is what is wrong.
    static func isDamage(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    }

    /// SQLite's own words go into `underlying`: they may hold values.
    static func wrap(_ error: DatabaseError, path: String) -> BreezeError {
        switch error.resultCode {
        case .SQLITE_FULL:
            full(path, underlying: error)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            BreezeError(
                .busy,
                "Another program is writing to \(path).",
                remedy: "Try again when it is done.",
                retryAfter: .seconds(1),
                underlying: error
            )
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            BreezeError(
                .invalidFile,
                "\(path) is damaged.",
                remedy: "Restart Breeze: it moves the damaged file aside and says where.",
                underlying: error
            )
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            BreezeError(
                .inputOutput,
                "\(path) cannot be read or written.",
                remedy: "Check the permissions and the disk, or set BREEZE_HOME to another folder.",
                underlying: error
            )
        default:
            BreezeError(
                .internalError,
                "\(path) refused what Breeze asked of it (SQLite's code \(error.extendedResultCode.rawValue)).",
                remedy: "Please report it.",
                underlying: error
            )
        }
    }

    private static func full(_ path: String, underlying: (any Error)?) -> BreezeError {
        BreezeError(
            .insufficientDisk,
            "The disk that holds \(path) is full.",
            remedy: "Free some space there, or set BREEZE_HOME to a folder on another disk.",
            underlying: underlying
        )
    }
}
#endif
