#if Hub
import BreezeAccess
import BreezeCore
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore

extension HubServer {
    func addAppRoutes(to router: RouterGroup<HubContext>) {
        router.get("apps") { _, _ in
            struct Apps: Encodable {
                let apps: [ShownApp]
                let open: Bool
            }
            let access = self.parts.access
            return try Response(Apps(apps: try access.apps().map(self.shown), open: access.gate.isOpen))
        }
        router.post("apps/:id/approve") { request, context in
            let terms = try await request.read(AppTerms.self, self.options.limits, context)
            let app = try await self.parts.access.approve(try context.part("id"), try terms.approval)
            return try Response(try self.shown(app))
        }
        router.post("apps/:id/refuse") { _, context in
            try Response(try self.shown(try await self.parts.access.refuse(try context.part("id"))))
        }
        router.post("apps/:id/revoke") { _, context in
            try Response(try self.shown(try await self.parts.access.revoke(try context.part("id"))))
        }
        router.delete("apps/:id") { _, context in
            try await self.parts.access.remove(try context.part("id"))
            return try Response(Done())
        }
        router.post("apps/:id/keys") { request, context in
            struct Wish: Decodable { let label: String? }
            let wish = try await request.read(Wish.self, self.options.limits, context)
            let id = try context.part("id")
            let state = try self.parts.access.app(id).state
            guard [.waiting, .approved].contains(state) else {
                throw BreezeError(
                    .conflict,
                    "The app is \(state.rawValue): a key would be worth nothing.",
                    remedy: "Approve it first."
                )
            }
            let key = try await self.parts.access.makeKey(for: id, label: wish.label ?? "panel")
            return try Response(["key": key.reveal()])
        }
        router.delete("apps/:id/keys/:key") { _, context in
            let (app, key) = (try context.part("id"), try context.part("key"))
            guard try self.parts.access.keys(of: app).contains(where: { $0.id == key }) else {
                throw BreezeError(.notFound, "The app has no key \(key.prefix(80)).")
            }
            try await self.parts.access.revokeKey(key)
            return try Response(Done())
        }
        router.get("audit") { request, _ in try Response(try await self.audit(request)) }
    }

    // MARK: - Apps

    private struct ShownApp: Encodable {
        struct Key: Encodable {
            let id: String
            let created: Date
            let lastUsed: Date?
        }

        struct Use: Encodable {
            let requests: Int
            let tokens: Int
            let computeMinutes: Double
        }

        let id: String
        let name: String
        let icon: String?
        let state: App.State
        let asked: [String]
        let scopes: ShownScopes
        let quota: ShownQuota
        let used: Use
        let created: Date
        let decided: Date?
        let expires: Date?
        let lastUsed: Date?
        let keys: [Key]
    }

    private func shown(_ app: App) throws -> ShownApp {
        let use = parts.access.gate.useToday(of: app.id)
        let now = Date()
        let keys = try parts.access.keys(of: app.id).filter { $0.isValid(at: now) }
        return ShownApp(
            id: app.id,
            name: app.name,
            icon: app.icon,
            state: app.state,
            asked: app.asked.capabilities.keys.map(\.rawValue).sorted()
                + app.asked.special.map(\.rawValue).sorted(),
            scopes: ShownScopes(scopes: app.granted),
            quota: ShownQuota(app.quota),
            used: ShownApp.Use(
                requests: use.requests,
                tokens: use.tokens,
                computeMinutes: use.computeSeconds / 60
            ),
            created: app.created,
            decided: app.decided,
            expires: app.expires,
            lastUsed: app.lastUsed,
            keys: keys.map { ShownApp.Key(id: $0.id, created: $0.created, lastUsed: $0.lastUsed) }
        )
    }

    /// What the owner allows.
    private struct AppTerms: Decodable {
        let scopes: ShownScopes
        let quota: ShownQuota?
        let expires: Date?

        var approval: AppApproval {
            get throws {
                AppApproval(scopes.scopes, quota: quota?.quota ?? .unlimited, expires: expires)
            }
        }
    }

    // MARK: - What they did

    private struct AuditEntries: Encodable {
        let entries: [ShownEntry]
        let next: AuditPage.Cursor?
    }

    private struct ShownEntry: Encodable {
        let id: String
        let time: Date
        let app: String
        let requestID: String
        let action: String
        let capability: String?
        let model: String?
        let runner: String?
        let locality: Locality?
        let outcome: String
        let tokensIn: Int
        let tokensOut: Int
        let bytesIn: Int
        let bytesOut: Int
        let queue: Double
        let load: Double
        let run: Double
        let total: Double
        let count: Int

        init(_ entry: AuditEntry) {
            id = "\(entry.request)-\(entry.time.timeIntervalSince1970)"
            (time, requestID, action) = (entry.time, entry.request, entry.action)
            app = entry.app ?? entry.who
            (capability, model, runner) = (entry.capability, entry.model, entry.runner)
            locality = entry.locality
            outcome = entry.error ?? entry.outcome
            (tokensIn, tokensOut) = (entry.tokensIn, entry.tokensOut)
            (bytesIn, bytesOut) = (entry.bytesIn, entry.bytesOut)
            (queue, load) = (entry.queueSeconds, entry.loadSeconds)
            (run, total) = (entry.runSeconds, entry.totalSeconds)
            count = entry.count
        }
    }

    private func audit(_ request: Request) async throws -> AuditEntries {
        let query = request.uri.queryParameters
        func date(_ name: Substring) throws -> Date? {
            guard let text = query[name] else { return nil }
            for style in [Date.ISO8601FormatStyle(includingFractionalSeconds: true), .iso8601] {
                if let date = try? Date(String(text), strategy: style) { return date }
            }
            throw BreezeError(.invalidParameter, "\(name) is no time such as 2026-01-31T12:00:00Z.")
        }
        let page = try await parts.access.audit(
            since: try date("since"),
            until: try date("until"),
            app: query["app"].map(String.init),
            limit: try request.whole("limit", in: 1...1_000, default: 50),
            before: try request.cursor(AuditPage.Cursor.self)
        )
        return AuditEntries(entries: page.entries.map(ShownEntry.init), next: page.next)
    }
}

/// `{"chat": "onDevice", "models": true}`
private struct ShownScopes: Codable {
    var scopes: AppScopes

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(scopes: AppScopes) {
        self.scopes = scopes
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        scopes = AppScopes()
        for key in values.allKeys {
            if let special = AppScopes.Special(rawValue: key.stringValue) {
                if try values.decode(Bool.self, forKey: key) { scopes.special.insert(special) }
            } else {
                let reach = try values.decode(AppScopes.Reach.self, forKey: key)
                scopes.capabilities[AICapability(rawValue: key.stringValue)] = reach
            }
        }
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Name.self)
        for (capability, reach) in scopes.capabilities {
            try values.encode(reach, forKey: Name(capability.rawValue))
        }
        for special in scopes.special { try values.encode(true, forKey: Name(special.rawValue)) }
    }
}

/// A day's.
private struct ShownQuota: Codable {
    let requestsPerDay: Int?
    let tokensPerDay: Int?
    let computeMinutesPerDay: Double?

    init(_ quota: Quota) {
        requestsPerDay = quota.requests
        tokensPerDay = quota.tokens
        computeMinutesPerDay = quota.computeMinutes
    }

    var quota: Quota {
        Quota(requests: requestsPerDay, tokens: tokensPerDay, computeMinutes: computeMinutesPerDay)
    }
}
#endif
