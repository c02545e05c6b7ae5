#if Hub
import BreezeAccess
import BreezeCore
import BreezePanel
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

extension HubServer {
    /// What asks for no session yet: the panel's own files, the link, and programs that want to be let in.
    func addSessionRoutes(to router: Router<HubContext>) {
        for (name, file) in PanelFile.all {
            router.get(RouterPath("/\(name)")) { _, _ in Self.panel(file) }
        }
        router.get("/") { request, _ in
            // Ollama's clients look here whether somebody is there.
            guard request.headers[.accept]?.contains("text/html") == true,
                let page = PanelFile.all[PanelFile.index]
            else { return Response(text: "Breeze is running") }
            return Self.panel(page)
        }
        router.head("/") { _, _ in Response(status: .ok) }
        router.post("/breeze/v1/session") { request, context in
            let link = try await request.read(Link.self, .strangers, context)
            let (token, expires) = try self.parts.access.gate.sessions.redeem(link.code)
            return try Response(Session(token: token, expires: expires))
        }
        router.delete("/breeze/v1/session") { request, _ in
            if case .ownerToken(let token) = self.credential(of: request) {
                self.parts.access.gate.sessions.end(token)
            }
            return try Response(Done())
        }
        router.post("/breeze/v1/apps") { request, context in
            let asked = try await request.read(Asking.self, .strangers, context)
            let (app, key) = try await self.parts.access.register(try asked.request)
            return try Response(Asked(id: app.id, state: app.state, key: key.reveal()), status: .created)
        }
    }

    private struct Link: Decodable { let code: String }

    private struct Session: Encodable {
        let token: String
        let expires: Date
    }

    /// A program that wants to be let in.
    private struct Asking: Decodable {
        let name: String
        let icon: String?
        /// Of models; `models` is the right to pull, delete and copy them.
        let capabilities: [String]
        /// Whether network runners may answer, too, where the owner consented to them.
        let network: Bool?

        var request: AppRequest {
            get throws {
                var scopes = AppScopes()
                for name in capabilities {
                    if let special = AppScopes.Special(rawValue: name) {
                        scopes.special.insert(special)
                    } else {
                        let capability = AICapability(rawValue: name)
                        guard AICapability.standard.contains(capability) else {
                            throw BreezeError(
                                .unknownCapability,
                                "There is no such capability.",
                                remedy:
                                    "There are \(AICapability.standard.map(\.rawValue).joined(separator: ", "))."
                            )
                        }
                        scopes.capabilities[capability] = network == true ? .networkAllowed : .onDevice
                    }
                }
                return AppRequest(name: name, icon: icon, asked: scopes)
            }
        }
    }

    private struct Asked: Encodable {
        let id: String
        let state: App.State
        /// Worth nothing until the owner approves.
        let key: String
    }

    private static func panel(_ file: PanelFile) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: file.contentType,
                .contentSecurityPolicy: PanelFile.policy,
                .cacheControl: "no-cache",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
        )
    }
}
#endif
