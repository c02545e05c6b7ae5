#if Hub
import BreezeCore
import BreezeStore
import Foundation
import GRDB

extension AccessControl {
    /// All apps, as they are now, the oldest first.
    package func apps() -> [App] {
        let time = now()
        return gate.withState { Array($0.apps.values) }.map { $0.shown(at: time) }
            .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    package func app(_ id: String) throws -> App {
        let time = now()
        guard let app = gate.withState({ $0.apps[id] }) else { throw AccessFault.unknownApp(id) }
        return app.shown(at: time)
    }

    /// Lets an app ask. Its key is worth nothing until the owner approves; with `approval` it is the owner
    /// who asks.
    /// - Throws: ``BreezeError`` `.invalidRequest` for a name or an icon that could mislead, `.busy` where too many
    ///   wait already.
    package func register(
        _ request: AppRequest,
        approval: AppApproval? = nil
    ) async throws -> (app: App, key: IssuedKey) {
        let (request, time) = (try request.checked(), now())
        let approval = try approval?.checked(at: time)
        let limit = settings.waitingLimit
        let app = App(
            id: KeyText.randomID(),
            name: request.name,
            icon: request.icon,
            asked: request.asked,
            granted: approval?.scopes ?? .none,
            quota: approval?.quota ?? .unlimited,
            expires: approval?.expires,
            state: approval == nil ? .waiting : .approved,
            created: time,
            decided: approval == nil ? nil : time
        )
        let (held, text) = Self.newKey(of: app.id, label: "first", at: time)
        try await jobs.run {
            try await self.store.write { database in
                if app.state == .waiting, try AppRecords.count(.waiting, database) >= limit {
                    throw BreezeError(
                        .busy,
                        "\(limit) apps wait for the owner already.",
                        remedy: "Decide about them first: breeze apps"
                    )
                }
                try AppRecords.insert(app, database)
                try AppRecords.insert(held, database)
            }
            self.gate.withState { state in
                state.apps[app.id] = app
                state.keys[held.key.id] = held
            }
        }
        changesOut.send([.app(app)])
        return (app, IssuedKey(held.key, text: text))
    }

    /// Allows exactly this, whatever was allowed before; a refused, revoked or expired app may come back,
    /// with the keys that it has.
    @discardableResult
    package func approve(_ id: String, _ approval: AppApproval) async throws -> App {
        let approval = try approval.checked(at: now())
        return try await change(id) { app in
            app.state = .approved
            (app.granted, app.quota, app.expires) = (approval.scopes, approval.quota, approval.expires)
        }
    }

    /// Takes some of what was allowed away; requests that ran on it end.
    @discardableResult
    package func narrow(_ id: String, to scopes: AppScopes) async throws -> App {
        let scopes = try scopes.checked()
        return try await change(id) { app in
            guard app.granted.covers(scopes) else {
                throw AccessFault.invalid(
                    "\(app.name) is not allowed all of this now.",
                    remedy: "To allow more: breeze apps approve \(app.id)"
                )
            }
            app.granted = scopes
        }
    }

    @discardableResult
    package func setQuota(_ id: String, _ quota: Quota) async throws -> App {
        let quota = try quota.checked()
        return try await change(id) { $0.quota = quota }
    }

    @discardableResult
    package func refuse(_ id: String) async throws -> App {
        try await change(id) { app in
            guard app.state == .waiting else {
                throw AccessFault.invalid(
                    "\(app.name) does not wait for a decision.",
                    remedy: "To withdraw what it is allowed: breeze apps revoke \(app.id)"
                )
            }
            app.state = .refused
        }
    }

    /// Ends what the app is allowed, and its requests, at once.
    /// - Throws: where that could not be written down. It holds all the same as long as this process runs, and is tried
    ///   again by the next call.
    @discardableResult
    package func revoke(_ id: String) async throws -> App {
        let time = now()
        let revoked = try gate.withState { state in
            guard var app = state.apps[id] else { throw AccessFault.unknownApp(id) }
            (app.state, app.decided) = (.revoked, time)
            state.apps[id] = app
            return app
        }
        await memory.set { _ = $0.unsaved.insert(id) }
        changesOut.send([.app(revoked)])
        return try await change(id) { $0.state = .revoked }
    }

    /// Forgets an app and its keys; the audit log keeps what it did.
    package func remove(_ id: String) async throws {
        let app = try app(id)
        try await jobs.run {
            try await self.store.write { try AppRecords.remove(id, $0) }
            self.gate.withState { state in
                state.apps[id] = nil
                state.keys = state.keys.filter { $0.value.key.app != id }
                state.meter.forget(app: id)
            }
        }
        changesOut.send([.app(app.removed)])
    }

    private func change(_ id: String, _ body: @escaping @Sendable (inout App) throws -> Void) async throws
        -> App
    {
        let time = now()
        let app = try await jobs.run {
            // What another process decided since is what is changed, not what was known here.
            let app = try await self.store.write { database in
                var app = try AppRecords.app(id, database)
                try body(&app)
                app.decided = time
                try AppRecords.update(app, database)
                return app
            }
            self.gate.withState { $0.apps[id] = app }
            await self.memory.set { _ = $0.unsaved.remove(id) }
            return app
        }
        changesOut.send([.app(app)])
        return app.shown(at: time)
    }
}
#endif
