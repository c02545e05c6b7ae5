public import Foundation

/// What is asked of a server, and what for.
public struct HTTPRequest: Sendable, Hashable {
    public var method: String
    /// `https`; `http` is for loopback alone. Credentials belong into ``headers`` and never into the URL.
    public var url: URL
    public var headers: HeaderFields
    public var body: [UInt8]
    /// What the ledger says the connection was for.
    public var purpose: EgressPurpose
    /// … and for whom; `nil` is the transport's own.
    public var client: EgressClient?

    public init(
        _ method: String = "GET",
        _ url: URL,
        purpose: EgressPurpose,
        headers: HeaderFields = [:],
        body: [UInt8] = [],
        client: EgressClient? = EgressClient.current
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.purpose = purpose
        self.client = client
    }
}
