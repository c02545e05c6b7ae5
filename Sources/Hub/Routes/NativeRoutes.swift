#if Hub
import BreezeAccess
import BreezeCore
import BreezeWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore

extension HubServer {
    /// What the SDK asks: the engine's own requests and answers, and how its app stands.
    func addNativeRoutes(to router: Router<HubContext>) {
        router.post("/breeze/v1/inference") { request, context in
            let streams = request.headers[.accept]?.contains(NativeStream.contentType) == true
            let call = try NativeCall.parse(try await self.body(of: request, context), streams: streams)
            return try await self.answer(call, .native, request, context)
        }
        router.get("/breeze/v1/app") { request, context in
            guard let app = self.parts.access.gate.app(of: self.credential(of: request)) else {
                // Who has no key, or none that counts, learns why as with any other request.
                _ = try self.caller(request, context)
                throw BreezeError(
                    .notFound,
                    "This caller is no app.",
                    remedy: "Ask with the key of an app."
                )
            }
            return try Response(StandingApp(app))
        }
    }

    private struct StandingApp: Encodable {
        let id: String
        let name: String
        let state: App.State
        /// What it was granted, once it was approved.
        let capabilities: [String]

        init(_ app: App) {
            (id, name, state) = (app.id, app.name, app.state(at: Date()))
            capabilities = app.granted.capabilities.keys.map(\.rawValue).sorted()
        }
    }
}

extension GenerationForm {
    fileprivate static let native = GenerationForm(
        answer: { results, generation, _ in try NativeCall.answer(results, to: generation) },
        stream: { NativeStream($0) },
        contentType: NativeStream.contentType
    )
}
#endif
