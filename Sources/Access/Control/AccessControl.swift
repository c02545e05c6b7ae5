#if Hub
import BreezeCore
import BreezeStore
package import Foundation

/// Who may use the hub: apps, their keys, what they have used, what they did, and which models they may bring
/// here.
///
/// The file belongs to all processes of its owner at once. ``gate`` decides in memory; ``run()`` keeps the
/// memory and the file together. A program that only decides, as the command line does, needs no ``run()``.
package final class AccessControl: Sendable {
    package let gate: AccessGate
    /// What a person should know about how the file was opened; mostly empty.
    package let notices: [String]
    let settings: AccessSettings
    let store: Store
    let now: @Sendable () -> Date
    let changesOut = ChangeBroadcast()
    let jobs = InTurn()
    let memory = AccessMemory()
    private let clock: any Clock<Duration>
    private let wakes: AsyncStream<Void>
    private let wakesIn: AsyncStream<Void>.Continuation

    /// Opens or makes the file. Blocks its thread, for seconds after a crash.
    ///
    /// `calendar` is of the device's time zone, in which a quota's day turns; `clock` is what the waiting in
    /// ``run()`` is counted by.
    /// - Throws: ``BreezeError`` `.newerSchema` where a later release wrote the file.
    package init(
        _ file: URL,
        settings: AccessSettings = AccessSettings(),
        calendar: @escaping @Sendable () -> Calendar = { Calendar(identifier: .gregorian) },
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        let now: @Sendable () -> Date = { now().wholeMilliseconds }
        store = try Store.open(file, schema: AccessSchema.schema, now: now)
        notices = [store.movedAside?.notice(of: AccessSchema.schema.content)].compactMap(\.self)
        self.settings = settings
        self.now = now
        self.clock = clock
        var state = AccessState(calendar: QuotaCalendar(calendar))
        let day = state.calendar.day(at: now().addingTimeInterval(-2 * 86_400)).number
        let (apps, keys, use) = try store.readNow {
            (try AppRecords.apps($0), try AppRecords.keys($0), try AuditRecords.use(since: day, $0))
        }
        state.put(apps, keys)
        state.meter = QuotaMeter(use)
        let (wakes, wakesIn) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        (self.wakes, self.wakesIn) = (wakes, wakesIn)
        gate = AccessGate(
            state: state,
            isOpen: settings.isOpen,
            sessions: OwnerSessions(now: now),
            capacity: settings.queueCapacity,
            now: now,
            wake: { wakesIn.yield() }
        )
    }

    /// From now on, whichever process decided; the owner's decisions of this process come at once, those of
    /// others within ``AccessSettings/pollInterval`` while ``run()`` does.
    package func changes() -> AsyncStream<AccessChange> { changesOut.listen() }

    /// Writes what is queued and looks for what others decided, until its task is cancelled; then all is
    /// written.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.keepWriting() }
            group.addTask { await self.keepPolling() }
        }
        try? await flush()
    }

    private func keepWriting() async {
        for await _ in wakes {
            // Cancelled: `run()` writes the rest.
            guard (try? await clock.sleep(for: settings.writeDelay)) != nil else { return }
            // The gate refuses when the queue is full, and says why.
            do { try await flush() } catch { wakesIn.yield() }
        }
    }

    private func keepPolling() async {
        while (try? await clock.sleep(for: settings.pollInterval)) != nil {
            // A file that cannot be read now is read the next time; what was allowed then is allowed now.
            try? await poll()
        }
    }

    /// Writes what is queued, ends all streams of changes and closes the file.
    package func close() async throws {
        changesOut.finish()
        wakesIn.finish()
        var fault: (any Error)?
        do { try await flush() } catch { fault = error }
        try await jobs.run { try self.store.close() }
        if let fault { throw fault }
    }

    /// A whole copy in one file, while the hub runs.
    package func backup(to file: URL) async throws {
        try await flush()
        try await store.backup(to: file)
    }
}

/// What is remembered between one job and the next.
actor AccessMemory {
    /// ``Store/foreignChanges()`` at the last look.
    var foreign: Int?
    var pulls: [String: PullRequest]?
    var expired: Set<String> = []
    /// Revoked here, and not yet on the disk.
    var unsaved: Set<String> = []
    var pruned = Date.distantPast

    func set<Value: Sendable>(_ path: @Sendable (isolated AccessMemory) -> Value) -> Value { path(self) }
}
#endif
