#if Hub
import BreezeCore
import BreezeScheme

/// Published by BreezeAccess: a second one that others see would make each use ambiguous where both are imported.
extension BreezeError.Code {
    static let appRevoked = Self(rawValue: "revoked")
    static let scopeDenied = Self(rawValue: "scope_denied")
}

/// What a paired app is told that may not do what it asks for.
enum HandlerFault {
    static let revoked = BreezeError(
        .appRevoked,
        "The pairing is over: the owner withdrew it, or its keys were used up.",
        remedy: "Pair the app anew: breezeapp://pair."
    )

    static let expired = BreezeError(
        .backgroundTimeExpired,
        "The system stopped Breeze before the answer was there.",
        remedy: "Ask for less, or open Breeze before you ask."
    )

    static let cancelled = BreezeError(
        .cancelled,
        "The app cancelled the request.",
        remedy: "Send it again, with a new id."
    )

    static func scope(_ capability: AICapability) -> BreezeError {
        BreezeError(
            .scopeDenied,
            "The app was not allowed \(capability).",
            remedy: "Pair it anew, and ask for that as well: breezeapp://pair."
        )
    }

    static let nobody = BreezeError(
        .timeout,
        "Nobody listened for the answer at its socket for ten seconds, and it was dropped.",
        remedy: "Listen before you ask."
    )

    static let noPart = BreezeError(
        .invalidRequest,
        "There is no such part of an answer to this app.",
        remedy: "Fetch parts in turn, within five minutes; or ask again."
    )
}
#endif
