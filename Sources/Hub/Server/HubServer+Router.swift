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
        addTokenRoutes(to: router)
        return router
    }

    /// To be called when models came or went.
    package func refresh() {
        parts.names.forget()
        parts.models.forget()
    }
}
#endif
