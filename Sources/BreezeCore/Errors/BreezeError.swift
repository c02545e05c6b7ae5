/// A failure in terms its caller can act on: branch on ``code``, show ``message``, offer ``remedy``, log
/// ``underlying``. The only public error type of the product.
public struct BreezeError: Error, Sendable {
    public let code: Code
    /// What went wrong, naming the thing that did. One sentence for a person; never holds prompt text or a
    /// secret.
    public let message: String
    /// What to do next, as a sentence or a command line; `nil` where nothing can be done.
    public let remedy: String?
    /// Where the failure came from, for the log alone.
    public let underlying: (any Error)?

    public init(_ code: Code, _ message: String, remedy: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
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
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(remedy)
    }
}

/// The form that crosses a process border: `{"code", "message", "remedy"}`.
extension BreezeError: Codable {
    private enum CodingKeys: String, CodingKey { case code, message, remedy }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            Code(rawValue: try values.decode(String.self, forKey: .code)),
            try values.decode(String.self, forKey: .message),
            remedy: try values.decodeIfPresent(String.self, forKey: .remedy)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(code.rawValue, forKey: .code)
        try values.encode(message, forKey: .message)
        try values.encodeIfPresent(remedy, forKey: .remedy)
    }
}
