#if Hub
import BreezeCore
import BreezeWire
import HTTPTypes
import Foundation
import Hummingbird
import HummingbirdCore

/// What every request passes first: the connection that it belongs to, the name that it calls this device by, and the
/// page that it comes from.
struct EntryMiddleware: RouterMiddleware {
    typealias Context = HubContext

    let connections: Connections
    let rule: OriginRule

    func handle(
        _ request: Request,
        context: HubContext,
        next: (Request, HubContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.connection = connections[context.channel]
        let verdict = rule.judge(
            host: request.head.authority,
            origin: request.headers[.origin],
            fetchSite: request.headers[.fetchSite],
            isSocket: context.isSocket
        )
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw BreezeError(
                .invalidRequest,
                "The body is encoded as \(encoding.prefix(40)).",
                remedy: "Send it as it is, without Content-Encoding."
            )
        }
        if let peer = context.connection.peer, peer.user != geteuid(), peer.user != 0 {
            throw BreezeError(.forbidden, "This socket is its owner's alone.")
        }
        switch verdict {
        case .refused(let reason):
            let error = BreezeError(
                .forbidden,
                reason,
                remedy:
                    "List the page in hub.origins, or the name in hub.hostNames: breeze config explain hub"
            )
            return WireFailure(error, WireDialect(path: request.uri.path)).response
        case .allowed: return Self.sealed(try await next(request, context))
        case .allowedPage(let origin):
            var response =
                request.method == .options
                ? Response(status: .noContent, headers: Self.preflight) : try await next(request, context)
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.vary] = "Origin"
            return Self.sealed(response)
        }
    }

    /// Nothing that the hub says is to be kept, guessed at, or framed by a page.
    private static func sealed(_ response: Response) -> Response {
        var response = response
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        return response
    }

    private static let preflight: HTTPFields = [
        .accessControlAllowMethods: "GET, POST, PUT, DELETE",
        .accessControlAllowHeaders: "authorization, content-type, x-breeze-privacy, x-breeze-runner",
        .accessControlMaxAge: "600",
    ]
}

extension HTTPField.Name {
    /// A literal of letters and a hyphen is a name.
    private static func named(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .accept }

    static let fetchSite = named("Sec-Fetch-Site")
}

extension HubContext {
    var isSocket: Bool {
        if case .unixDomainSocket = channel.localAddress { true } else { false }
    }
}
#endif
