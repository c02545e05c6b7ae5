public import Foundation

extension URL {
    /// The URL as errors and logs may show it: without user, password, query and fragment, since a download
    /// server's signature lies in the query.
    public var withoutSecrets: String {
        guard let scheme, let host = host(percentEncoded: true) else { return path(percentEncoded: true) }
        let shown = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        return "\(scheme)://\(shown)\(port.map { ":\($0)" } ?? "")\(path(percentEncoded: true))"
    }

    /// The address bar's rule of what is still this machine: the name `localhost`, 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        guard var host = host(percentEncoded: false)?.lowercased() else { return false }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Where a request goes: credentials may go there again, and nowhere else.
    var origin: Origin {
        Origin(
            scheme: scheme?.lowercased(),
            host: host(percentEncoded: false)?.lowercased(),
            port: effectivePort
        )
    }

    var effectivePort: Int { port ?? (scheme?.lowercased() == "http" ? 80 : 443) }
}

struct Origin: Hashable {
    let scheme: String?
    let host: String?
    let port: Int
}
