public import BreezeCore

/// Failures that only the URL scheme has; section 6 of docs/url-scheme.md.
extension BreezeError.Code {
    public static let invalidURL = Self(rawValue: "invalid_url")
    /// A callback that is no scheme, or one that belongs to others.
    public static let invalidCallback = Self(rawValue: "invalid_callback")
    /// Not the one spelling of base64url.
    public static let invalidEncoding = Self(rawValue: "invalid_encoding")
    public static let unsupportedVersion = Self(rawValue: "unsupported_version")
    /// The owner did not allow it, or there is no such app.
    public static let notPaired = Self(rawValue: "not_paired")
    /// Not made with this app's key, or changed since.
    public static let invalidEnvelope = Self(rawValue: "invalid_envelope")
    /// A sealed message whose time is over, or too far away. An app's grant that is over is `expired`.
    public static let messageExpired = Self(rawValue: "message_expired")
    public static let replayed = Self(rawValue: "replayed")
    /// A plain answer to an app that is paired.
    public static let unsealedAnswer = Self(rawValue: "unsealed_answer")
    /// A file that is not there, not the owner's, or not what its name says.
    public static let invalidHandoff = Self(rawValue: "invalid_handoff")
    public static let pairingFailed = Self(rawValue: "pairing_failed")
    /// The system stopped the handler before the answer.
    public static let backgroundTimeExpired = Self(rawValue: "background_time_expired")
}

/// The ones that BreezeWire and BreezeAccess publish: a second one that others see would make each use ambiguous
/// where both are imported.
extension BreezeError.Code {
    static let payloadTooLarge = Self(rawValue: "payload_too_large")
    static let rateLimited = Self(rawValue: "rate_limited")
    static let scopeDenied = Self(rawValue: "scope_denied")
    static let appRefused = Self(rawValue: "app_refused")
}
