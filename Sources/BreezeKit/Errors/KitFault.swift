import BreezeCore
import BreezeLocalHTTP
import Foundation

/// The failures' words.
enum KitFault {
    static let notConfigured = BreezeError(
        .notConfigured,
        "Breeze was asked before it was configured.",
        remedy: "Add where the app starts: try Breeze.configure(appName: \"My App\")"
    )

    /// Any error as the one public type.
    static func wrapping(_ error: any Error) -> BreezeError {
        error as? BreezeError
            ?? BreezeError(
                .runFailed,
                "The request failed with an unforeseen error (\(type(of: error))).",
                remedy: "Try again.",
                underlying: error
            )
    }

    static func unwritable(_ cause: any Error) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "The request cannot be written as JSON.",
            remedy: "Leave out numbers that are infinite, or none.",
            underlying: cause
        )
    }

    static let cancelled = BreezeError(
        .cancelled,
        "The request was cancelled.",
        remedy: "Send it again where the answer is still wanted."
    )

    static let backgroundTimeOver = BreezeError(
        .backgroundTimeOver,
        "The system ended the app's time in the background before the answer was there.",
        remedy: "Send it again when the app is in front."
    )

    static func noWay(_ skipped: [TransportReport.Skipped], remedy: String?) -> BreezeError {
        let reasons = skipped.sentences.joined(separator: " ")
        return BreezeError(.noHub, "Nobody is there to answer. \(reasons)", remedy: remedy)
    }

    static func timedOut(after limit: Duration) -> BreezeError {
        BreezeError(
            .timeout,
            "The request took longer than the \(limit) that it was given.",
            remedy: "Give it a larger timeout, or ask for less."
        )
    }

    static func malformed(_ what: String, underlying: (any Error)? = nil) -> BreezeError {
        BreezeError(
            .malformedAnswer,
            "The hub's answer cannot be read: \(what).",
            remedy: "Update the hub and this app to versions that fit: breeze version",
            underlying: underlying
        )
    }

    static let cut = BreezeError(
        .answerCut,
        "The hub ended the connection before its answer was whole.",
        remedy: "It may have run: look before asking again. Where the hub stopped: breeze service status"
    )

    static func waiting(_ app: String, id: String) -> BreezeError {
        BreezeError(
            .approvalPending,
            "The owner has not approved \(app) yet.",
            remedy: "Approve it in the control panel, or: breeze apps approve \(id)"
        )
    }

    static let otherVersion = BreezeError(
        .unsupported,
        "The hub has no such route: it is of another version than this app.",
        remedy: "Update Breeze; its version: breeze version"
    )

    static let unknownKey = BreezeError(
        .keyNotValid,
        "The hub does not know this app's key, or no longer: its owner may have withdrawn it.",
        remedy: "Ask the user, then register the app anew: try await client.register(anew: true)"
    )

    /// What a connection's end means to whoever asked over it.
    /// - Returns: ``NothingSent`` where another way may be taken.
    static func connection(_ failure: LocalHTTPFailure, to address: LocalAddress) -> any Error {
        switch failure {
        case .notThere(let why):
            return NothingSent("No hub answers at \(address): \(why).", remedy: HubPlace.starting)
        case .cut: return cut
        case .malformed(let what): return malformed(what)
        case .silent(let time):
            return BreezeError(
                .timeout,
                "The hub said nothing for \(time).",
                remedy: "See whether it is well: breeze doctor"
            )
        case .tooLarge(let limit): return malformed("it has more than \(limit) bytes")
        }
    }
}

extension [TransportReport.Skipped] {
    /// One for each reason: ways that follow each other and share it are named together.
    var sentences: [String] {
        var groups: [(ways: [String], reason: String)] = []
        for skipped in self {
            if groups.last?.reason == skipped.reason {
                groups[groups.count - 1].ways.append(skipped.way.words)
            } else {
                groups.append(([skipped.way.words], skipped.reason))
            }
        }
        return groups.map { "\($0.ways.joined(separator: ", ")): \($0.reason)" }
    }
}

extension TransportReport.Way {
    /// For a sentence.
    var words: String {
        switch self {
        case .socket: "Unix socket"
        case .loopback: "Loopback HTTP"
        case .urlScheme: "URL scheme"
        case .fallback: "Fallback"
        default: rawValue
        }
    }
}
