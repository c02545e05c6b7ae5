public import BreezeCore

/// The ``BreezeError/underlying`` of a failure before anything was sent: no connection came about. Whoever asked may
/// ask again without fear that something is done twice.
public struct NeverSent: Error {
    public let underlying: any Error

    public init(underlying: any Error) {
        self.underlying = underlying
    }

    /// A server that redirects has had the request: what fails behind it was sent.
    package static func only<Value>(onFirst hop: Int, _ send: () async throws -> Value) async throws -> Value
    {
        do { return try await send() } catch let error as BreezeError where hop > 0 && error.wasNeverSent {
            throw BreezeError(
                error.code,
                error.message,
                remedy: error.remedy,
                underlying: (error.underlying as? NeverSent)?.underlying
            )
        }
    }
}

extension BreezeError {
    /// Whether the request certainly did not reach its server.
    public var wasNeverSent: Bool { underlying is NeverSent }
}
