import BreezeCore
import Foundation

/// What becomes of a request when the server points elsewhere.
package enum RedirectRule {
    /// Fields that say nothing of who asks.
    private static let harmless: Set = [
        "accept", "accept-encoding", "if-range", "range", "user-agent",
    ]

    /// `nil` where the answer is no redirect.
    /// - Throws: ``BreezeError`` `.insecureConnection` where it leads from https to http, `.invalidResponse`
    ///   where it leads nowhere.
    package static func next(_ request: HTTPRequest, status: Int, headers: HeaderFields) throws
        -> HTTPRequest?
    {
        guard [301, 302, 303, 307, 308].contains(status), let location = headers["Location"] else {
            return nil
        }
        guard let target = URL(string: location, relativeTo: request.url)?.absoluteURL,
            target.host(percentEncoded: true)?.isEmpty == false
        else {
            throw BreezeError(
                .invalidResponse,
                "\(request.url.withoutSecrets) redirects to something that is no address."
            )
        }
        if request.url.scheme?.lowercased() == "https", target.scheme?.lowercased() != "https" {
            throw TransportFault.insecure(
                "\(request.url.withoutSecrets) redirects to \(target.withoutSecrets), which is not https.",
                remedy: "Ask another server for the file, or its publisher to mend this one."
            )
        }
        var next = request
        next.url = target
        if status == 303 || (status < 303 && request.method == "POST") {
            if request.method != "HEAD" { next.method = "GET" }
            next.body = []
            for name in ["Content-Type", "Content-Length", "Content-Encoding"] { next.headers[name] = nil }
        }
        if target.origin != request.url.origin {
            // Whoever the first server points to has no right to what was meant for it: any field may hold a key,
            // and a body a prompt.
            guard next.body.isEmpty else {
                throw TransportFault.insecure(
                    "\(request.url.withoutSecrets) redirects what was sent to \(target.withoutSecrets).",
                    remedy: "If that is where it should go, give that address."
                )
            }
            next.headers = HeaderFields(
                request.headers.pairs.filter { harmless.contains($0.name.lowercased()) }
            )
        }
        return next
    }

    /// What may be sent at all.
    package static func check(_ request: HTTPRequest) throws {
        let url = request.url
        guard let scheme = url.scheme?.lowercased(), url.host(percentEncoded: true)?.isEmpty == false else {
            throw BreezeError(.invalidRequest, "\(url.withoutSecrets) is no address of a server.")
        }
        guard scheme == "https" || (scheme == "http" && url.isLoopback) else {
            throw TransportFault.insecure(
                "\(url.withoutSecrets) is not https.",
                remedy: "Use an https address; plain http is for this device alone (localhost)."
            )
        }
        guard url.user == nil, url.password == nil else {
            throw BreezeError(
                .invalidRequest,
                "The address of \(url.withoutSecrets) holds a user or a password.",
                remedy: "Leave them out of the address; breeze secrets set keeps them."
            )
        }
        if let name = request.headers.unsendable {
            throw BreezeError(.invalidRequest, "The header field \(name.debugDescription) cannot be sent.")
        }
    }
}
