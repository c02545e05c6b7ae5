#if Hub
package import BreezeCore
import BreezeStore
import Foundation

extension AccessControl {
    private static let pruneInterval: TimeInterval = 60
    private static let pruneRows = 5_000

    /// Writes what is queued, in one transaction. What cannot be written stays in the queue.
    package func flush() async throws {
        try await jobs.run {
            let batch = self.gate.withState { state in
                let batch = state.pending
                state.pending = PendingWrites()
                return batch
            }
            let time = self.now()
            let pruned = await self.memory.pruned
            let isDue = time.timeIntervalSince(pruned).magnitude >= Self.pruneInterval
            guard !batch.isEmpty || isDue else { return }
            let retention = self.settings.retention
            let day = self.gate.withState { state in
                let day = state.calendar.day(at: time.addingTimeInterval(-2 * 86_400)).number
                if isDue { state.meter.forget(before: day) }
                return day
            }
            do {
                let isMore = try await self.store.write { database in
                    try AuditRecords.write(batch, database)
                    guard isDue else { return false }
                    return try AuditRecords.prune(
                        retention,
                        now: time,
                        usedBefore: day,
                        limit: Self.pruneRows,
                        database
                    )
                }
                self.gate.withState { $0.fault = nil }
                if isDue, !isMore { await self.memory.set { $0.pruned = time } }
            } catch {
                let fault =
                    error as? BreezeError
                    ?? BreezeError(.internalError, "The audit log was not written.", underlying: error)
                self.gate.withState { state in
                    state.fault = fault
                    state.pending.putBack(batch)
                }
                throw fault
            }
        }
    }

    /// Takes in what other processes decided, and tells of apps whose time is over.
    package func poll() async throws {
        let changes = try await jobs.run {
            let foreign = try await self.store.foreignChanges()
            var changes: [AccessChange] = []
            if await self.memory.foreign != foreign {
                changes = try await self.reload()
                await self.memory.set { $0.foreign = foreign }
            }
            return await changes + self.newlyExpired()
        }
        changesOut.send(changes)
    }

    /// Takes in what other processes decided where a key asks that nobody here knows: its app may have been added
    /// a moment ago.
    package func look(for credential: Credential) async {
        // A key that is known is hashed once, and this is every request's way.
        guard case .bearer(let text) = credential, gate.app(of: credential) == nil, KeyText(text, .app) != nil
        else { return }
        // As in `keepPolling`.
        try? await poll()
    }

    /// What the hub is like: for its readiness and for the panel.
    package func health() -> AccessHealth {
        gate.withState {
            AccessHealth(
                fault: $0.fault,
                queued: $0.pending.entries.count,
                running: $0.running,
                omittedDenials: $0.omittedDenials
            )
        }
    }

    private func reload() async throws -> [AccessChange] {
        let unsaved = await memory.unsaved
        let (apps, keys, pulls) = try await store.read { database in
            (try AppRecords.apps(database), try AppRecords.keys(database), try PullRecords.all(database))
        }
        let held = apps.map { unsaved.contains($0.id) ? $0.removed : $0 }
        let known = await memory.pulls
        await memory.set { $0.pulls = Dictionary(uniqueKeysWithValues: pulls.map { ($0.id, $0) }) }
        let news = known.map { known in pulls.filter { known[$0.id] != $0 } } ?? []
        return gate.withState { state in
            let changes = state.changes(to: held, keys)
            state.put(held, keys)
            return changes + news.map(AccessChange.pull)
        }
    }

    private func newlyExpired() async -> [AccessChange] {
        let time = now()
        let expired = gate.withState { state in
            state.apps.values.filter { $0.state == .approved && $0.state(at: time) == .expired }
        }
        let told = await memory.expired
        await memory.set { $0.expired = Set(expired.map(\.id)) }
        return expired.filter { !told.contains($0.id) }.map { .app($0.shown(at: time)) }
    }
}

/// Whether what happens is still written down.
package struct AccessHealth: Sendable {
    /// Why the last attempt to write failed; with a full queue nobody is let in.
    package let fault: BreezeError?
    package let queued: Int
    package let running: Int
    /// Denials that are in no log: there were too many in a moment.
    package let omittedDenials: Int
}
#endif
