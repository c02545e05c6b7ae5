#if Hub
import BreezeCore
import BreezeEngine
import BreezeScheme
import BreezeSchemeStore
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore

extension HubServer {
    /// Apps that ask by URL: the owner answers them here, for whoever handles a URL has no screen.
    func addSchemeRoutes(to router: RouterGroup<HubContext>) {
        router.get("scheme") { _, _ in
            struct Scheme: Encodable {
                let questions: [ShownQuestion]
                let apps: [ShownSchemeApp]
            }
            let desk = self.parts.scheme
            return try Response(
                Scheme(
                    questions: try await desk.questions().map(ShownQuestion.init),
                    apps: try await desk.apps().map(ShownSchemeApp.init)
                )
            )
        }
        router.post("scheme/questions/:id") { request, context in
            struct Said: Decodable { let answer: OwnerAnswer }
            let said = try await request.read(Said.self, self.options.limits, context)
            let id = try context.part("id")
            guard try await self.parts.scheme.known.perform({ try $0.answer(id, said.answer) }) else {
                throw BreezeError(
                    .notFound,
                    "No question \(id.prefix(80)) waits any more.",
                    remedy: "Its time is over, or it was answered elsewhere. The app may ask again."
                )
            }
            self.feed.send("apps", Done())
            return try Response(Done())
        }
        router.post("scheme/apps/:id/revoke") { _, context in
            try await self.changeSchemeApp(context) { try $0.revoke($1, at: SchemeDesk.now) }
        }
        router.delete("scheme/apps/:id") { _, context in
            try await self.changeSchemeApp(context) { try $0.remove($1) }
        }
        router.post("route") { request, context in
            let asked = try await request.read(InferenceRequest.self, self.options.limits, context)
            return try Response(try await self.parts.engine.explain(asked))
        }
    }

    /// What runs for it ends.
    private func changeSchemeApp(
        _ context: HubContext,
        _ change: @escaping @Sendable (SchemeStore, AppID) throws -> Void
    ) async throws -> Response {
        let text = try context.part("id")
        guard let id = AppID(text) else {
            throw BreezeError(.notFound, "There is no paired app \(text.prefix(80)).")
        }
        try await parts.scheme.known.perform { try change($0, id) }
        let reason = BreezeError(
            .forbidden,
            "The owner of this device took back what this app may do.",
            remedy: "Pair again."
        )
        parts.requests.stop(because: reason) { $0.acts(for: "scheme:\(id.text)") }
        feed.send("apps", Done())
        return try Response(Done())
    }
}
#endif
