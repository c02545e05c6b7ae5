#if Hub
import BreezeAccess
import Hummingbird
import HummingbirdCore

extension HubServer {
    func router() -> Router<HubContext> {
        let router = Router(context: HubContext.self, options: .autoGenerateHeadEndpoints)
        let routes = RouteTable()
        router.add(
            middleware: EntryMiddleware(connections: connections, rule: originRule, access: parts.access)
        )
        router.add(middleware: FailureMiddleware(routes: routes, logger: logger))
        addHealthRoutes(to: router)
        addNativeRoutes(to: router)
        addOpenAIRoutes(to: router)
        addOllamaRoutes(to: router)
        addAudioRoutes(to: router)
        addOllamaModelRoutes(to: router)
        addTokenRoutes(to: router)
        addOwnerRoutes(to: router)
        routes.fill(router)
        return router
    }

    /// Takes up new settings and models.
    package func reload() async throws { try await parts.refresh() }

    /// The panel's address with a code that opens it once, within a minute. The code stands in the fragment, which a
    /// browser sends to nobody.
    package static func panelLink(_ address: String, _ code: String) -> String { "\(address)/#code=\(code)" }
}
#endif
