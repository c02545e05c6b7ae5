#if Hub
import BreezeCatalog
import BreezeCore
import BreezeDownloads
import BreezeModels
import BreezeWire
import Foundation
import Synchronization

/// The downloads that this hub does, one a model at a time; whoever asks for one that runs joins it.
final class ModelDownloads: Sendable {
    enum State: String, Encodable {
        case running, paused, failed, cancelled
        /// Whole and installed.
        case ready
    }

    /// How far one is.
    struct Status: Encodable, Sendable {
        struct Fault: Encodable {
            let message: String
            let remedy: String?
            let code: String
            let service: String?
        }

        let id: String
        var stage = DownloadStage.discovery
        var received: Int64 = 0
        var total: Int64?
        var bytesPerSecond: Double?
        var secondsLeft: Double?
        var state: State
        var error: Fault?
    }

    private struct Entry {
        var status: Status
        var task: Task<ImportOutcome, any Error>?
        /// What the owner wants of one that is about to end.
        var ending: State?
        var watchers: [UUID: AsyncStream<Status>.Continuation] = [:]
    }

    private let manager: ModelManager
    private let installed: @Sendable () async throws -> Void
    private let changed: @Sendable (Status) -> Void
    private let entries: Mutex<[String: Entry]> = Mutex([:])

    /// `installed` is called when a model came, and `changed` with each step of each download.
    init(
        manager: ModelManager,
        installed: @escaping @Sendable () async throws -> Void,
        changed: @escaping @Sendable (Status) -> Void
    ) {
        self.manager = manager
        self.installed = installed
        self.changed = changed
    }

    /// Those of this hub, and those that another program left unfinished.
    func list() -> [Status] {
        let own = entries.withLock { $0.values.map(\.status) }.filter { $0.state != .ready }
        let known = Set(own.map(\.id))
        let others = manager.unfinished().filter { !known.contains($0.id) }.map { plan in
            Status(
                id: plan.id,
                stage: .download,
                received: manager.received(plan),
                total: plan.package.size,
                state: .paused
            )
        }
        return (own + others).sorted { $0.id < $1.id }
    }

    /// Begins, or goes on with what came before.
    @discardableResult
    func begin(_ plan: PullPlan, _ acceptance: TermsAcceptance) -> Task<ImportOutcome, any Error> {
        entries.withLock { entries in
            if let task = entries[plan.id]?.task { return task }
            let status = Status(id: plan.id, total: plan.package.size, state: .running)
            let task = Task { try await self.run(plan, acceptance) }
            entries[plan.id] = Entry(status: status, task: task)
            return task
        }
    }

    private func run(_ plan: PullPlan, _ acceptance: TermsAcceptance) async throws -> ImportOutcome {
        do {
            let outcome = try await manager.pull(plan, accepting: acceptance) { step in
                self.change(plan.id) { status in
                    (status.stage, status.received) = (step.stage, step.received)
                    (status.total, status.secondsLeft) = (step.total ?? status.total, step.secondsLeft)
                    status.bytesPerSecond = step.bytesPerSecond
                }
            }
            try await installed()
            end(plan.id, as: .ready)
            return outcome
        } catch {
            let wanted = entries.withLock { $0[plan.id]?.ending }
            let failure = FailureMiddleware.known(error)
            // Another program may have stopped it, too.
            let isStopped =
                error is CancellationError || failure.code == .cancelled || failure.code == .paused
            end(plan.id, as: wanted ?? (isStopped ? .paused : .failed), failure)
            throw error
        }
    }

    /// Each step from now on, until it is over or the reader goes away.
    func watch(_ id: String) -> AsyncStream<Status> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Status.self,
            bufferingPolicy: .bufferingNewest(8)
        )
        let key = UUID()
        let isThere = entries.withLock { entries in
            entries[id]?.watchers[key] = continuation
            return entries[id] != nil
        }
        guard isThere else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.entries.withLock { _ = $0[id]?.watchers.removeValue(forKey: key) }
        }
        return stream
    }

    /// Returns when it stands still, so that whoever asks next is not told that it runs.
    func pause(_ id: String) async throws {
        guard let task = stop(id, as: .paused) else { return try manager.pause(id) }
        _ = try? await task.value
    }

    func resume(_ id: String) throws {
        // Its terms were accepted when it was begun.
        begin(try manager.unfinished(id), TermsAcceptance(terms: true, noncommercial: true))
    }

    func cancel(_ id: String) async throws {
        let task = stop(id, as: .cancelled)
        _ = try? await task?.value
        if (try? manager.unfinished(id)) != nil {
            try await manager.cancel(id)
        } else if task == nil, entries.withLock({ $0[id] }) == nil {
            throw BreezeError(.notFound, "\(id.prefix(100)) is not being downloaded.")
        }
        end(id, as: .cancelled)
    }

    /// What came is kept: they go on when somebody asks for it.
    func stop() {
        for task in entries.withLock({ $0.values.compactMap(\.task) }) { task.cancel() }
    }

    /// The one that is about to end, where this hub does it.
    private func stop(_ id: String, as state: State) -> Task<ImportOutcome, any Error>? {
        let task = entries.withLock { entries in
            entries[id]?.ending = state
            return entries[id]?.task
        }
        task?.cancel()
        return task
    }

    private func change(_ id: String, _ change: (inout Status) -> Void) {
        let told = entries.withLock { entries -> (Status, [AsyncStream<Status>.Continuation])? in
            guard var entry = entries[id] else { return nil }
            change(&entry.status)
            entries[id] = entry
            return (entry.status, Array(entry.watchers.values))
        }
        guard let (status, watchers) = told else { return }
        for watcher in watchers { watcher.yield(status) }
        changed(status)
    }

    private func end(_ id: String, as state: State, _ error: BreezeError? = nil) {
        change(id) { status in
            status.state = state
            (status.bytesPerSecond, status.secondsLeft) = (nil, nil)
            if state == .ready { status.stage = .ready }
            if state == .failed { status.error = error.map(Status.Fault.init) }
        }
        let watchers = entries.withLock { entries in
            let watchers = entries[id]?.watchers.values.map(\.self) ?? []
            if state == .ready || state == .cancelled {
                entries[id] = nil
            } else {
                entries[id]?.task = nil
                entries[id]?.ending = nil
                entries[id]?.watchers = [:]
            }
            return watchers
        }
        for watcher in watchers { watcher.finish() }
    }
}

extension ModelDownloads.Status.Fault {
    fileprivate init(_ error: BreezeError) {
        self.init(
            message: error.message,
            remedy: error.remedy,
            code: error.code.rawValue,
            service: error.service
        )
    }
}
#endif
