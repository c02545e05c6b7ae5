#if Hub
import Foundation

extension AccessState {
    /// Takes in what the file says.
    mutating func put(_ apps: [App], _ keys: [HeldKey]) {
        self.apps = Dictionary(uniqueKeysWithValues: apps.map { ($0.id, $0) })
        self.keys = Dictionary(uniqueKeysWithValues: keys.map { ($0.key.id, $0) })
        // The file learns of it a moment later.
        for (id, time) in pending.appsUsed { self.apps[id]?.lastUsed = time }
        for (id, time) in pending.keysUsed { self.keys[id]?.key.lastUsed = time }
    }

    /// What differs between what is known and what the file says.
    func changes(to apps: [App], _ keys: [HeldKey]) -> [AccessChange] {
        let known = Set(apps.map(\.id))
        let decided = apps.filter { app in
            guard var old = self.apps[app.id] else { return true }
            old.lastUsed = app.lastUsed
            return old != app
        }
        let removed = self.apps.values.filter { !known.contains($0.id) }.map(\.removed)
        let withdrawn = keys.filter { held in
            held.key.revoked != nil && self.keys[held.key.id].map { $0.key.revoked == nil } ?? false
        }
        return (decided + removed).map(AccessChange.app)
            + withdrawn.map { .keyRevoked(id: $0.key.id, app: $0.key.app) }
    }
}

extension App {
    /// As its change is told.
    var removed: App {
        var app = self
        app.state = .revoked
        return app
    }

    func shown(at time: Date) -> App {
        var app = self
        app.state = state(at: time)
        return app
    }
}
#endif
