#if Hub
import Hummingbird
import HummingbirdCore

extension HubServer {
    func router() -> Router<HubContext> {
        let router = Router(context: HubContext.self)
        router.add(middleware: FailureMiddleware())
        router.add(
            middleware: EntryMiddleware(
                connections: connections,
                rule: OriginRule(hostNames: options.hostNames, origins: options.origins)
            )
        )
        addHealthRoutes(to: router)
        addOpenAIRoutes(to: router)
        addOllamaRoutes(to: router)
        addOllamaModelRoutes(to: router)
        addTokenRoutes(to: router)
        addOwnerRoutes(to: router)
        return router
    }

    /// Takes up new settings and models.
    package func reload() async throws { try await parts.refresh() }

    /// The panel's address with a code that opens it once, within a minute. The code stands in the fragment, which a
    /// browser sends to nobody.
    package static func panelLink(_ address: String, _ code: String) -> String { "\(address)/#code=\(code)" }
}
#endif
