package import BreezeCore

/// Failures that only a server has. Whoever lets requests in throws these, and they get their status by
/// ``WireFailure``.
extension BreezeError.Code {
    /// A field of the dialect that nothing here can honour, and that would change the answer.
    package static let unsupportedCapability = Self(rawValue: "unsupported_capability")
    package static let methodNotAllowed = Self(rawValue: "method_not_allowed")
    /// The request carries no key, or one that is not known.
    package static let unauthorized = Self(rawValue: "unauthorized")
    /// The key is known, and does not allow this.
    package static let forbidden = Self(rawValue: "forbidden")
    /// The request did not come whole in time.
    package static let requestTimeout = Self(rawValue: "request_timeout")
    package static let payloadTooLarge = Self(rawValue: "payload_too_large")
    package static let unsupportedMediaType = Self(rawValue: "unsupported_media_type")
    /// An app has used up what it was granted.
    package static let rateLimited = Self(rawValue: "rate_limited")
}
