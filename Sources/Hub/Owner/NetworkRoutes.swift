#if Hub
import BreezeAccess
import BreezeCore
import BreezeEngine
import BreezeSecrets
import BreezeTransport
import Foundation
import Hummingbird
import HummingbirdCore

extension HubServer {
    /// What leaves the device, and the keys that it takes along.
    func addNetworkRoutes(to router: RouterGroup<HubContext>) {
        router.get("egress") { request, _ in try Response(try await self.egress(request)) }
        router.put("egress") { request, context in
            struct Wish: Decodable { let forbidden: Bool }
            let wish = try await request.read(Wish.self, self.options.limits, context)
            try self.parts.settings.change("privacy.offline") { _ in wish.forbidden ? .bool(true) : nil }
            struct Switch: Encodable { let forbidden: Bool }
            return try Response(Switch(forbidden: try self.parts.settings.current().isOffline))
        }
        router.get("secrets") { _, _ in
            let services = self.parts.secrets.services
            let shown = await self.parts.secrets.list().map { status in
                ShownSecret(status, services.all.first { $0.name == status.name })
            }
            return try Response(["services": shown])
        }
        router.put("secrets/:service") { request, context in
            let service = try self.parts.secrets.services.named(try context.part("service"))
            let given = try await request.read(GivenSecret.self, self.options.limits, context)
            let change = try await self.parts.secrets.set(service, to: try given.texts(for: service))
            return try Response(["notes": change.notes])
        }
        router.delete("secrets/:service") { _, context in
            let service = try self.parts.secrets.services.named(try context.part("service"))
            return try Response(["notes": try await self.parts.secrets.remove(service).notes])
        }
        router.post("secrets/:service/test") { request, context in
            let service = try self.parts.secrets.services.named(try context.part("service"))
            let given = try await request.read(GivenSecret.self, self.options.limits, context)
            return try Response(try await self.test(service, given))
        }
    }

    // MARK: - Connections

    private struct Egress: Encodable {
        struct Connection: Encodable {
            let time: Date
            let host: String
            let port: Int
            let purpose: String
            /// For whom: an app's name, `owner` or `hub`.
            let `for`: String?
            let status: Int?
            let bytesUp: Int64
            let bytesDown: Int64
            let outcome: EgressEntry.Outcome
        }

        let forbidden: Bool
        let connections: [Connection]
        let next: EgressPage.Cursor?
    }

    private func egress(_ request: Request) async throws -> Egress {
        let limit = try request.whole("limit", in: 1...1_000, default: 100)
        let page = try await parts.ledger.page(
            limit: limit,
            before: try request.cursor(EgressPage.Cursor.self)
        )
        let names = appNames
        return Egress(
            forbidden: try parts.settings.current().isOffline,
            connections: page.entries.map { entry in
                Egress.Connection(
                    time: entry.time,
                    host: entry.host,
                    port: entry.port,
                    purpose: entry.purpose.rawValue,
                    for: entry.client?.app.map { names[$0] ?? $0 } ?? entry.client?.rawValue,
                    status: entry.status,
                    bytesUp: entry.bytesUp,
                    bytesDown: entry.bytesDown,
                    outcome: entry.outcome
                )
            },
            next: page.next
        )
    }

    // MARK: - Keys of services

    private struct ShownSecret: Encodable {
        struct Field: Encodable {
            let name: String
            let title: String
        }

        let name: String
        let title: String
        let purpose: String
        let page: String?
        let isSet: Bool
        /// `environment`, `keyring` or `file`.
        let source: String?
        let fields: [Field]

        init(_ status: CredentialStatus, _ service: CredentialService?) {
            (name, title, purpose, page) = (status.name, status.title, status.purpose, status.page)
            isSet = status.isSet
            source = status.sources.first.map { source in
                switch source.kind {
                case .keychain, .secretService: "keyring"
                case .sealedFile: "file"
                default: "environment"
                }
            }
            fields = (service?.parts ?? []).map { part in
                Field(name: part.name, title: part.name.prefix(1).uppercased() + part.name.dropFirst())
            }
        }
    }

    private struct GivenSecret: Decodable {
        let fields: [String: String]?

        /// In the service's own order.
        func texts(for service: CredentialService) throws -> [String] {
            try service.parts.map { part in
                guard let text = fields?[part.name] else {
                    throw BreezeError(
                        .invalidRequest,
                        "The field \(part.name) of \(service.title) is missing."
                    )
                }
                return text
            }
        }
    }

    private struct Tested: Encodable {
        let ok: Bool
        let message: String
    }

    /// What was typed where something was, else what is kept.
    private func test(_ service: CredentialService, _ given: GivenSecret) async throws -> Tested {
        let credential: BreezeSecrets.Credential?
        if given.fields != nil {
            let values = try given.texts(for: service).map {
                try Secret($0, named: "The \(service.title) key")
            }
            credential = Credential(service: service, values: values, source: CredentialSource(.terminal))
        } else {
            credential = try await parts.secrets.credential(for: service)
        }
        guard let credential else {
            return Tested(ok: false, message: "There is no key for \(service.title) yet.")
        }
        return switch try await parts.checkSecret(credential) {
        case .accepted(let account?):
            Tested(ok: true, message: "\(service.title) takes it: it belongs to \(account).")
        case .accepted(nil): Tested(ok: true, message: "\(service.title) takes it.")
        case .refused: Tested(ok: false, message: "\(service.title) does not take it.")
        case .notCheckable(let why): Tested(ok: false, message: why)
        }
    }
}
#endif
