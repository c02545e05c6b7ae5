package import BreezeCore

/// The failures' words. None repeats what a stranger wrote.
package enum SchemeFault {
    package static let page = "docs/url-scheme.md tells how it is made."

    package static func url(_ what: String) -> BreezeError {
        BreezeError(.invalidURL, "The URL is not one of Breeze: \(what).", remedy: page)
    }

    package static func request(_ what: String) -> BreezeError {
        BreezeError(.invalidRequest, "The request is not as it should be: \(what).", remedy: page)
    }

    package static func callback(_ what: String) -> BreezeError {
        BreezeError(
            .invalidCallback,
            "The callback is not taken: \(what).",
            remedy: "Name a scheme that your app alone registers, such as one with its name in it."
        )
    }

    package static func encoding(_ what: String) -> BreezeError {
        BreezeError(.invalidEncoding, "A value is not base64url: \(what).", remedy: page)
    }

    package static func tooLarge(_ what: String) -> BreezeError {
        BreezeError(
            .payloadTooLarge,
            "\(what).",
            remedy: "Send less, or a paired app's larger message in a file, over the socket or in parts."
        )
    }

    package static let version = BreezeError(
        .unsupportedVersion,
        "The message is of another version of the scheme.",
        remedy: "Ask for breezeapp://status, and take the highest of its versions that your app knows."
    )

    package static let tools = BreezeError(
        .scopeDenied,
        "A request that nobody sealed has no tools.",
        remedy: "Pair the app first: breezeapp://pair."
    )

    package static let notPaired = BreezeError(
        .notPaired,
        "No app of this id is paired.",
        remedy: "Pair the app anew: breezeapp://pair."
    )

    package static func envelope(_ what: String) -> BreezeError {
        BreezeError(
            .invalidEnvelope,
            "The sealed message is not taken: \(what).",
            remedy: "Seal it with the keys of the last pairing."
        )
    }

    package static let expired = BreezeError(
        .messageExpired,
        "The message's time is over, or too far away.",
        remedy: "Make it anew, by the time that the answer tells."
    )

    package static let replayed = BreezeError(
        .replayed,
        "The message was taken already, or answers nothing that was asked.",
        remedy: "Make a new one, with a new nonce."
    )

    package static let unsealedAnswer = BreezeError(
        .unsealedAnswer,
        "The answer is not sealed, and may be anybody's.",
        remedy: "Pass it over. Where it comes again, ask for breezeapp://status."
    )

    package static func handoff(_ what: String) -> BreezeError {
        BreezeError(
            .invalidHandoff,
            "The file that the URL names is not taken: \(what).",
            remedy: "Write it anew: whole, owned by the same user, and closed to others."
        )
    }

    package static func pairing(_ what: String) -> BreezeError {
        BreezeError(
            .pairingFailed,
            "The pairing ended: \(what).",
            remedy: "Begin it anew in a minute."
        )
    }

    package static func rateLimited(_ what: String, retryAfter milliseconds: Int64) -> BreezeError {
        BreezeError(
            .rateLimited,
            "\(what).",
            remedy: "Try again later.",
            retryAfter: .milliseconds(milliseconds)
        )
    }
}
