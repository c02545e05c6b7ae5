#if Hub
import BreezeCore
import BreezeModels
import BreezeOpenAPI
import BreezeEngine
import BreezeWire
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

extension HubServer {
    func addHealthRoutes(to router: Router<HubContext>) {
        // Whether the process lives: nothing else is asked.
        router.get("/healthz") { _, _ in Response(text: "ok\n") }
        // Whether it answers questions: its settings can be read, and so can its models.
        router.get("/readyz") { _, _ in
            do {
                _ = try self.parts.settings.current()
                _ = try self.parts.models.store.list()
            } catch {
                self.logger.error("The hub is not ready: \(error)")
                throw BreezeError.resourceUnavailable(
                    "The hub cannot read its settings or its models.",
                    remedy: "The owner of this device sees why: breeze doctor"
                )
            }
            return Response(text: "ready\n")
        }
        router.get("/openapi.json") { _, _ in Response(json: APIDocument.bytes) }
        router.get("/metrics") { request, context in
            _ = try self.caller(request, context)
            var metrics = await self.parts.engine.metrics()
            metrics.families += self.ownMetrics
            return Response(text: metrics.prometheus(), type: "text/plain; version=0.0.4; charset=utf-8")
        }
    }

    private var ownMetrics: [EngineMetrics.Family] {
        [
            EngineMetrics.Family(
                gauge: "breeze_hub_connections",
                help: "Clients that are connected.",
                Double(connections.count)
            ),
            EngineMetrics.Family(
                gauge: "breeze_hub_streams",
                help: "Answers that are on their way piece by piece.",
                Double(parts.requests.count)
            ),
        ]
    }
}
#endif
