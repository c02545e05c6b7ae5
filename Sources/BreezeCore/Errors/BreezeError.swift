/// A failure in terms its caller can act on: branch on ``code``, show ``message``, offer ``remedy``, log
/// ``underlying``. The only public error type of the product.
public struct BreezeError: Error, Sendable {
    public let code: Code
    /// What went wrong, naming the thing that did. One sentence for a person; never holds prompt text or a
    /// secret.
    public let message: String
    /// What to do next, as a sentence or a command line; `nil` where nothing can be done.
    public let remedy: String?
    /// When trying again may succeed, counted from now; `nil` where time alone mends nothing, or nobody knows.
    public let retryAfter: Duration?
    /// What a guardian said of the text that it blocked; `nil` for every other failure, and where the guardian
    /// itself failed. Holds no text.
    public let verdict: GuardianVerdict?
    /// The service whose credential is missing, by the name that `breeze secrets set` takes; `nil` for every other
    /// failure.
    public let service: String?
    /// Where the failure came from, for the log alone.
    public let underlying: (any Error)?

    public init(
        _ code: Code,
        _ message: String,
        remedy: String? = nil,
        retryAfter: Duration? = nil,
        verdict: GuardianVerdict? = nil,
        service: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.retryAfter = retryAfter
        self.verdict = verdict
        self.service = service
        self.underlying = underlying
    }
}

extension BreezeError: CustomStringConvertible {
    public var description: String {
        remedy.map { "\(code.rawValue): \(message) \($0)" } ?? "\(code.rawValue): \(message)"
    }
}

/// Two errors are equal when a caller would see the same thing; ``underlying`` is not compared.
extension BreezeError: Hashable {
    public static func == (left: BreezeError, right: BreezeError) -> Bool {
        left.code == right.code && left.message == right.message && left.remedy == right.remedy
            && left.retryAfter == right.retryAfter
            && left.verdict == right.verdict && left.service == right.service
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(remedy)
        hasher.combine(retryAfter)
        hasher.combine(verdict)
        hasher.combine(service)
    }
}

/// The form that crosses a process border: `{"code", "message", "remedy", "retryAfter", "verdict",
/// "service"}`, times in seconds.
extension BreezeError: Codable {
    private enum CodingKeys: String, CodingKey { case code, message, remedy, retryAfter, verdict, service }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            Code(rawValue: try values.decode(String.self, forKey: .code)),
            try values.decode(String.self, forKey: .message),
            remedy: try values.decodeIfPresent(String.self, forKey: .remedy),
            retryAfter: try values.decodeIfPresent(Double.self, forKey: .retryAfter).flatMap(Self.duration),
            verdict: try values.decodeIfPresent(GuardianVerdict.self, forKey: .verdict),
            service: try values.decodeIfPresent(String.self, forKey: .service)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(code.rawValue, forKey: .code)
        try values.encode(message, forKey: .message)
        try values.encodeIfPresent(remedy, forKey: .remedy)
        try values.encodeIfPresent(retryAfter.map(Self.seconds), forKey: .retryAfter)
        try values.encodeIfPresent(verdict, forKey: .verdict)
        try values.encodeIfPresent(service, forKey: .service)
    }

    private static func seconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// Another side may send anything: what is no time to wait counts as not known, where `Duration` would trap.
    private static func duration(_ seconds: Double) -> Duration? {
        (0...1e9).contains(seconds) ? .seconds(seconds) : nil
    }
}
