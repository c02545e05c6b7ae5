public import BreezeCore

/// What an app is told beside the failures of the request itself. The values are those of the hub and of its
/// URL scheme; the names are the app's view of them.
extension BreezeError.Code {
    /// `Breeze` was asked before `Breeze.configure`.
    public static let notConfigured = Self(rawValue: "not_configured")
    /// The app's Info.plist does not register the callback scheme that it configured.
    public static let callbackNotRegistered = Self(rawValue: "callback_not_registered")
    /// No way leads to a hub, and there is no fallback that may answer. The message has the reason of each
    /// way.
    public static let noHub = Self(rawValue: "no_hub")
    /// The owner has not decided about the app yet.
    public static let approvalPending = Self(rawValue: "app_waiting")
    public static let approvalRefused = Self(rawValue: "app_refused")
    /// The owner withdrew what the app was allowed.
    public static let approvalRevoked = Self(rawValue: "revoked")
    /// The time for which the app was allowed is over.
    public static let approvalExpired = Self(rawValue: "expired")
    /// The hub does not know the app's key, or no longer. Nothing is registered anew without being told to:
    /// ``BreezeClient/register(anew:)``.
    public static let keyNotValid = Self(rawValue: "invalid_key")
    /// The fallback would take the request off the device, and nobody allowed that.
    public static let networkConsentRequired = Self(rawValue: "consent_required")
    /// The answer began and did not end. The request may have run: it is not sent again.
    public static let answerCut = Self(rawValue: "answer_cut")
    /// What came is no answer of a hub.
    public static let malformedAnswer = Self(rawValue: "invalid_response")
    /// The system took the app's time in the background away before the answer was there.
    public static let backgroundTimeOver = Self(rawValue: "background_time_expired")
}
