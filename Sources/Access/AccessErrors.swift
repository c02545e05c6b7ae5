package import BreezeCore
import Foundation

extension BreezeError.Code {
    /// No key was sent, or it is none of ours, or it was withdrawn. 401.
    package static let invalidKey = Self(rawValue: "invalid_key")
    /// The owner has not decided about the app yet. 403, as the next four.
    package static let appWaiting = Self(rawValue: "app_waiting")
    package static let appRefused = Self(rawValue: "app_refused")
    package static let appRevoked = Self(rawValue: "revoked")
    package static let appExpired = Self(rawValue: "expired")
    /// The owner did not allow the app this.
    package static let scopeDenied = Self(rawValue: "scope_denied")
    /// ``BreezeError/retryAfter`` is when the quota's day turns. 429.
    package static let quotaExceeded = Self(rawValue: "daily_quota_exceeded")
    /// The owner has not accepted a model's source and licence. 403.
    package static let consentRequired = Self(rawValue: "consent_required")
    /// 404.
    package static let unknownApp = Self(rawValue: "unknown_app")
}

/// What a client is told that is not let in. Says no more than the client may know: nothing of other apps.
enum AccessFault {
    static let noKey = BreezeError(
        .invalidKey,
        "No key was sent.",
        remedy: "Register the app, then send its key as: Authorization: Bearer brz_…"
    )
    static let badKey = BreezeError(
        .invalidKey,
        "The key is not valid.",
        remedy: "Check that it was copied whole. The owner makes a new one with: "
            + "breeze apps key ID"
    )
    static let badOwnerToken = BreezeError(
        .invalidKey,
        "The owner's session is over.",
        remedy: "Open the panel anew with the link that this prints: breeze panel"
    )
    static let badLinkCode = BreezeError(
        .invalidKey,
        "The link was used already, or is too old.",
        remedy: "Make a new one: breeze panel"
    )
    static let ownerOnly = BreezeError(
        .scopeDenied,
        "Only the owner may do this.",
        remedy: "Open the control panel with the link that this prints: breeze panel"
    )
    static let openMode = BreezeError(
        .scopeDenied,
        "A client without a key may only ask models on this device.",
        remedy: "Register the app and have it approved: breeze apps"
    )

    /// `nil` where it may go on.
    static func state(_ app: App, at time: Date) -> BreezeError? {
        switch app.state(at: time) {
        case .approved:
            nil
        case .waiting:
            BreezeError(
                .appWaiting,
                "The owner has not approved \(app.name) yet.",
                remedy: approving(app)
            )
        case .refused:
            BreezeError(.appRefused, "The owner refused \(app.name).", remedy: approving(app))
        case .revoked:
            BreezeError(
                .appRevoked,
                "The owner withdrew what \(app.name) was allowed.",
                remedy: approving(app)
            )
        case .expired:
            BreezeError(
                .appExpired,
                "The time for which \(app.name) was allowed is over.",
                remedy: approving(app)
            )
        }
    }

    static func scope(_ app: App, lacks what: String) -> BreezeError {
        BreezeError(
            .scopeDenied,
            "\(app.name) is not allowed \(what).",
            remedy:
                "The owner allows it with: breeze apps approve \(app.id)"
        )
    }

    static func quota(_ app: App, _ spent: String, retryAfter: Duration) -> BreezeError {
        BreezeError(
            .quotaExceeded,
            "\(app.name) has used its \(spent) of today.",
            remedy:
                "Try again tomorrow; the owner changes the quota with: "
                + "breeze apps approve \(app.id)",
            retryAfter: retryAfter
        )
    }

    static func auditFull(_ cause: BreezeError?) -> BreezeError {
        BreezeError(
            .busy,
            "The audit log does not keep up, and nothing runs that is not in it."
                + (cause.map { " \($0.message)" } ?? ""),
            remedy: cause?.remedy ?? "Try again in a second.",
            retryAfter: .seconds(1),
            underlying: cause
        )
    }

    static func unknownApp(_ id: String) -> BreezeError {
        BreezeError(
            .unknownApp,
            "There is no app \(UntrustedText.cleaned(id, limit: 40)).",
            remedy: "List them: breeze apps"
        )
    }

    static func invalid(_ message: String, remedy: String? = nil) -> BreezeError {
        BreezeError(.invalidRequest, message, remedy: remedy)
    }

    private static func approving(_ app: App) -> String {
        "The owner approves it with: breeze apps approve \(app.id)"
    }
}
