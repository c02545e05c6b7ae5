#if Hub
import BreezeAccess
import BreezeCore
import BreezeWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

/// What every request passes first, and every answer last: the connection that it belongs to, the name that it calls
/// this device by, and the page that it comes from.
struct EntryMiddleware: RouterMiddleware {
    typealias Context = HubContext

    let connections: Connections
    let rule: @Sendable () -> OriginRule
    let access: AccessControl

    func handle(
        _ request: Request,
        context: HubContext,
        next: (Request, HubContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.connection = connections[context.channel]
        let verdict = rule().judge(
            host: request.head.authority,
            origin: request.headers[.origin],
            fetchSite: request.headers[.fetchSite],
            isSocket: context.isSocket
        )
        if let answer = answer(atTheDoor: request, context, verdict) { return answer }
        await access.look(for: access.gate.credential(of: request))
        let known = context
        let response =
            if Self.isBrief(request) {
                try await next(request, known)
            } else {
                try await LoopChannel.off { try await next(request, known) }
            }
        context.tally.answered(response.body.contentLength ?? 0)
        return Self.sealed(response, for: verdict)
    }

    /// Whether nothing that is done for it here takes long: a runner works on threads of its own.
    private static func isBrief(_ request: Request) -> Bool {
        let length =
            request.headers[.contentLength].flatMap { Int($0) } ?? (request.method == .get ? 0 : .max)
        let path = request.uri.path
        let isOwners = path.hasPrefix("/breeze/") && WireDialect(path: path) != .native
        return length <= 1 << 16 && !isOwners && !["/api/copy", "/api/delete", "/api/pull"].contains(path)
    }

    /// What a request gets that goes no further.
    private func answer(
        atTheDoor request: Request,
        _ context: HubContext,
        _ verdict: OriginRule.Verdict
    ) -> Response? {
        if let error = Self.refusal(request, context, verdict) {
            access.gate.note(error, from: context.caller, request: context.requestID)
            return Self.sealed(WireFailure(error, WireDialect(path: request.uri.path)).response)
        }
        guard case .allowedPage = verdict, request.method == .options else { return nil }
        return Self.sealed(Response(status: .noContent, headers: Self.preflight), for: verdict)
    }

    private static func refusal(
        _ request: Request,
        _ context: HubContext,
        _ verdict: OriginRule.Verdict
    ) -> BreezeError? {
        if let peer = context.connection.peer, peer.user != geteuid(), peer.user != 0 {
            return BreezeError(.forbidden, "This socket is its owner's alone.")
        }
        if case .refused(let reason) = verdict {
            return BreezeError(
                .forbidden,
                reason,
                remedy:
                    "List the page in hub.origins, or the name in hub.hostNames: breeze config explain hub"
            )
        }
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
            return BreezeError(
                .unsupportedMediaType,
                "The body is encoded as \(encoding.prefix(40)).",
                remedy: "Send it as it is, without Content-Encoding."
            )
        }
        return nil
    }

    /// Nothing that the hub says is to be kept, guessed at, or framed by a page.
    private static func sealed(
        _ response: Response,
        for verdict: OriginRule.Verdict = .allowed
    ) -> Response {
        var response = response
        response.headers[.xContentTypeOptions] = "nosniff"
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if case .allowedPage(let origin) = verdict {
            response.headers[.accessControlAllowOrigin] = origin
            response.headers[.vary] = "Origin"
        }
        return response
    }

    private static let preflight: HTTPFields = [
        .accessControlAllowMethods: "GET, POST, PUT, DELETE",
        .accessControlAllowHeaders:
            (["authorization", "content-type"] + WireHints.names).joined(separator: ", "),
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
