/// The way to a server. Everything that leaves the device goes through one of these, so that a test can stand
/// in for the network and the ledger misses nothing.
public protocol HTTPTransport: Sendable {
    /// Returns as soon as the header of the final answer is there; redirects have been followed.
    /// - Throws: `BreezeError`: `.resourceUnavailable` where the server cannot be reached or the connection
    ///   broke, `.timeout`, `.insecureConnection`, `.invalidRequest`, `.invalidResponse`, `.egressForbidden`;
    ///   `CancellationError` where the task was cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
