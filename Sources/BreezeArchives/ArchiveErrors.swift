import BreezeCore
import Foundation

enum ArchiveFault {
    /// `shown` may hold anything that an attacker wrote, so it is shortened and escaped.
    static func refused(_ shown: String, _ why: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "The archive was refused: \(String(shown.prefix(80)).debugDescription) \(why).",
            remedy: "Nothing of it was kept. Get the file from another source."
        )
    }

    static func damaged(_ why: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "The archive cannot be read: \(String(why.prefix(200))).",
            remedy: "Download it again; tar.gz and zip archives can be unpacked."
        )
    }

    static func writing(_ path: String, _ number: Int32) -> BreezeError {
        let code: BreezeError.Code = number == ENOSPC || number == EDQUOT ? .insufficientDisk : .inputOutput
        return BreezeError(
            code,
            "\(path) cannot be written: \(String(cString: strerror(number))).",
            remedy: code == .insufficientDisk
                ? "Free some space, then try again." : "Check the folder's permissions."
        )
    }

    static var unavailable: BreezeError {
        BreezeError(
            .unavailable,
            "This build of Breeze unpacks no archives: it was made without the trait Archives.",
            remedy: "Install libarchive-dev, then: swift build --traits Hub,Llama,Archives (or make build)."
        )
    }
}
