#if Hub || Pairing
import BreezeCore
import BreezeKit
import BreezeScheme

/// The failures' words.
enum PairingFault {
    static let pairing = "Ask the user, then pair the app: try await scheme.pair { code in … }"

    static func timeout(after limit: Duration) -> BreezeError {
        BreezeError(
            .timeout,
            "No answer came back from Breeze within \(limit).",
            remedy: "It may have run: open Breeze and look. Where none ever comes, pair the app anew."
        )
    }

    static let noOffer = BreezeError(
        .timeout,
        "Breeze did not answer the wish to be paired.",
        remedy: "Check that Breeze is installed, and try again in a minute."
    )

    static let noWord = BreezeError(
        .timeout,
        "The owner said neither yes nor no in time.",
        remedy: "Open Breeze first, and try again in a minute."
    )

    static let otherCode = BreezeError(
        .pairingFailed,
        "The codes were not found to be the same, so that the app keeps no keys.",
        remedy: "Try again in a minute; open Breeze yourself, and compare."
    )

    static let running = BreezeError(
        .pairingFailed,
        "A pairing is going on already.",
        remedy: "Wait for its end: it has a few minutes at the most."
    )

    static let over = BreezeError(
        .approvalRevoked,
        "The pairing is over: the owner withdrew it, or its keys were used up.",
        remedy: pairing
    )

    static func malformed(_ what: String) -> BreezeError {
        BreezeError(
            .malformedAnswer,
            "The hub's answer cannot be read: \(what).",
            remedy: "Update the hub and this app to versions that fit: breeze version"
        )
    }

    static let damaged = BreezeError(
        .invalidFile,
        "What was kept of the pairing is damaged.",
        remedy: pairing
    )

    static let unpaired = "The app is not paired with Breeze."
    static let readable =
        "The app is not paired with Breeze: the owner is asked each time, and other apps can read it."
    static let wasReadable =
        "Question and answer went by readable URLs: other apps of this device could read them. "
        + "Paired apps' are sealed."
    static let ownerOffers = "The owner wants to pair this app: within ten minutes it may ask for it."
}
#endif
