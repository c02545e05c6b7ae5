public import Foundation

/// How connections are made.
public struct TransportSettings: Sendable {
    public var connectTimeout = Duration.seconds(15)
    /// The longest silence of a server, before its answer begins and within it.
    public var idleTimeout = Duration.seconds(30)
    /// More than this many redirects in a row are an error.
    public var redirectLimit = 10
    /// A PEM file of certificates that are trusted besides the system's: a private mirror's, or a test
    /// server's.
    public var extraTrustRoots: URL?
    /// `nil` connects directly.
    public var proxy: ProxySettings?

    /// Takes the proxy from the environment, as other programs do.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        proxy = ProxySettings(environment: environment)
    }
}

/// An HTTP proxy for https, through CONNECT: it sees the host's name and nothing of what is said. Loopback
/// addresses are always reached directly.
public struct ProxySettings: Sendable, Hashable {
    public let host: String
    public let port: Int
    /// `user:password`, or `nil`.
    let credentials: String?
    /// Hosts that are reached directly; a name stands for its subdomains, too, `*` for all.
    public let exceptions: [String]

    /// From `HTTPS_PROXY` and `NO_PROXY` (or their lower-case forms); `nil` where none is named, or none of
    /// the form `http://[user:password@]host[:port]`.
    public init?(environment: [String: String]) {
        let text = environment["HTTPS_PROXY"] ?? environment["https_proxy"] ?? ""
        let address = text.contains("://") ? text : "http://\(text)"
        guard !text.isEmpty, let parts = URLComponents(string: address), parts.scheme == "http",
            let host = parts.host, !host.isEmpty
        else {
            return nil
        }
        self.host = host
        port = parts.port ?? 80
        credentials = parts.user.map { "\($0):\(parts.password ?? "")" }
        exceptions = (environment["NO_PROXY"] ?? environment["no_proxy"] ?? "").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !$0.isEmpty }
    }

    func serves(_ url: URL) -> Bool {
        guard !url.isLoopback, let host = url.host(percentEncoded: false)?.lowercased() else { return false }
        return !exceptions.contains { exception in
            let name = exception.hasPrefix(".") ? String(exception.dropFirst()) : exception
            return exception == "*" || host == name || host.hasSuffix(".\(name)")
        }
    }
}
