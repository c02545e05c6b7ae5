public import BreezeCore
import BreezeTransport
import Foundation

extension BreezeError.Code {
    /// What came is not what was promised: its length or its SHA-256 is another one. It was deleted.
    public static let integrity = Self(rawValue: "integrity")
    /// A file could not be fetched, and trying again would not help by itself.
    public static let downloadFailed = Self(rawValue: "download_failed")
    /// Somebody paused the download; what is there stays.
    public static let paused = Self(rawValue: "paused")
}

enum DownloadFault {
    static func digest(_ name: String, expected: String, found: String) -> BreezeError {
        BreezeError(
            .integrity,
            "\(name) has the SHA-256 \(found) instead of \(expected) and was deleted.",
            remedy: "Try again. If it happens again, the server does not have the file that was promised."
        )
    }

    static func size(_ name: String, expected: Int64, found: Int64) -> BreezeError {
        BreezeError(
            .integrity,
            "\(name) has \(found) bytes instead of \(expected) and was not kept.",
            remedy: "Try again. If it happens again, the server does not have the file that was promised."
        )
    }

    static func missing(_ url: URL, _ status: Int) -> BreezeError {
        BreezeError(
            .downloadFailed,
            "\(url.withoutSecrets) is not there (\(status)).",
            remedy: "Check the model's name and revision."
        )
    }

    static func refused(_ url: URL, _ status: Int) -> BreezeError {
        BreezeError(
            .downloadFailed,
            "\(url.withoutSecrets) answered \(status).",
            remedy: "Check the address, or try again later."
        )
    }

    static func overloaded(_ url: URL, _ status: Int, retryAfter: Duration?) -> BreezeError {
        BreezeError(
            .resourceUnavailable,
            "\(url.withoutSecrets) answers \(status): it is overloaded, or asks for fewer requests.",
            remedy: "Try again later; the download goes on where it stopped.",
            retryAfter: retryAfter
        )
    }

    static func authRequired(
        _ authorization: DownloadAuthorization?,
        _ url: URL,
        _ status: Int
    ) -> BreezeError {
        let service = authorization?.service ?? url.host(percentEncoded: false) ?? "The server"
        let why =
            status == 401
            ? "a credential is needed, or the one that was given is not valid."
            : "\(url.withoutSecrets) is gated, or not for you: its terms may have to be accepted there."
        return .authRequired(
            service: authorization?.name ?? service,
            "\(service): \(why)",
            remedy: authorization?.remedy ?? "Give Breeze a credential for it: breeze secrets set"
        )
    }

    static func restarts(_ url: URL, _ count: Int) -> BreezeError {
        BreezeError(
            .downloadFailed,
            "\(url.withoutSecrets) had to be begun anew \(count) times: it changes, or its server cannot go "
                + "on where a download stopped.",
            remedy: "Try again when the connection is better, or use another source."
        )
    }

    static func compressed(_ url: URL, _ encoding: String) -> BreezeError {
        BreezeError(
            .downloadFailed,
            "\(url.withoutSecrets) came compressed (\(encoding.debugDescription)) though nobody asked for it.",
            remedy: "Use another source."
        )
    }

    static func endedEarly(_ url: URL) -> BreezeError {
        BreezeError(
            .resourceUnavailable,
            "\(url.withoutSecrets) ended early.",
            remedy: "Try again; the download goes on where it stopped."
        )
    }

    /// A disk that is full, to somebody whose download keeps what came.
    static func fullDisk(_ fault: BreezeError) -> BreezeError {
        BreezeError(
            fault.code,
            fault.message,
            remedy: "Free some space; the download goes on where it stopped.",
            underlying: fault.underlying
        )
    }
}
