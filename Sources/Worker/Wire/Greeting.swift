import BreezeCore

/// What each side says first. Its form stays readable for every version of the protocol: `protocol` and `program`
/// decide whether the rest is looked at.
struct Opening: Codable, Hashable, Sendable {
    /// The version of the frames that follow.
    static let version = 1

    var `protocol` = Self.version
    /// The host program's version.
    var program: String
    var descriptor: WorkerDescriptor
}

/// The worker's answer to an ``Opening``.
struct Hello: Codable, Hashable, Sendable {
    var `protocol` = Opening.version
    /// The worker program's version.
    var program: String
    var protection: WorkerProtection
    /// Why there is no runner; `nil` where there is one.
    var refusal: BreezeError?
}
