#if Hub
import BreezeCore
import BreezeStore
import Foundation
import GRDB

extension AccessControl {
    package func keys(of app: String) throws -> [AppKey] {
        _ = try self.app(app)
        return gate.withState { state in state.keys.values.map(\.key).filter { $0.app == app } }
            .sorted { ($0.created, $0.id) < ($1.created, $1.id) }
    }

    /// One more key; the others stay.
    package func makeKey(for app: String, label: String) async throws -> IssuedKey {
        let label = try UntrustedText.checked(
            label,
            named: "The key's label",
            characters: AppRequest.nameLimit
        )
        return try await issue(for: app, label: label, replacing: nil, grace: .zero)
    }

    /// A new key for an old one, which is taken for as long as `grace` beside it.
    package func rotateKey(_ id: String, grace: Duration = .zero) async throws -> IssuedKey {
        let old = try key(id)
        return try await issue(for: old.app, label: old.label, replacing: old, grace: grace)
    }

    /// Requests that came with it end.
    package func revokeKey(_ id: String) async throws {
        let (old, time) = (try key(id), now())
        guard old.revoked == nil else { return }
        try await jobs.run {
            let key = try await self.store.write { database in
                var key = try AppRecords.key(id, database)
                key.revoked = time
                try AppRecords.update(key, database)
                return key
            }
            self.gate.withState { $0.keys[id]?.key = key }
        }
        changesOut.send([.keyRevoked(id: id, app: old.app)])
    }

    static func newKey(of app: String, label: String, at time: Date) -> (AccessState.HeldKey, text: String) {
        let (key, text) = KeyText.make(.app)
        let record = AppKey(id: key.id, app: app, label: label, created: time)
        return (AccessState.HeldKey(key: record, digest: key.digest), text)
    }

    private func key(_ id: String) throws -> AppKey {
        if let held = gate.withState({ $0.keys[id] }) { return held.key }
        return try store.readNow { try AppRecords.key(id, $0) }
    }

    private func issue(
        for app: String,
        label: String,
        replacing old: AppKey?,
        grace: Duration
    ) async throws -> IssuedKey {
        let (time, limit) = (now(), settings.keyLimit)
        let (held, text) = Self.newKey(of: app, label: label, at: time)
        let replaced = try await jobs.run {
            let replaced = try await self.store.write { database -> AppKey? in
                _ = try AppRecords.app(app, database)
                let replaced = try old.map { old in
                    var key = try AppRecords.key(old.id, database)
                    if grace > .zero {
                        let end = time.addingTimeInterval(grace / .seconds(1)).wholeMilliseconds
                        key.expires = min(end, key.expires ?? end)
                    } else {
                        key.revoked = key.revoked ?? time
                    }
                    try AppRecords.update(key, database)
                    return key
                }
                let valid = try AppRecords.keys(of: app, database).filter { $0.isValid(at: time) }
                guard valid.count < limit else {
                    throw AccessFault.invalid(
                        "The app has \(limit) keys already.",
                        remedy: "Withdraw one that it no longer uses."
                    )
                }
                try AppRecords.insert(held, database)
                return replaced
            }
            self.gate.withState { state in
                if let replaced { state.keys[replaced.id]?.key = replaced }
                state.keys[held.key.id] = held
            }
            return replaced
        }
        if let replaced, replaced.revoked != nil {
            changesOut.send([.keyRevoked(id: replaced.id, app: replaced.app)])
        }
        return IssuedKey(held.key, text: text)
    }
}
#endif
