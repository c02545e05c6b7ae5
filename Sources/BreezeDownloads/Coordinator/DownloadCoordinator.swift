import BreezeCore
import BreezeFiles
public import Foundation

/// The downloads of this process: one an id, however many ask for it. They go on when those who asked go
/// away, and stop when somebody cancels them.
public actor DownloadCoordinator {
    /// What to do before and after a download; see ``Downloader/run(_:into:progress:unless:then:)``.
    public struct Job: Sendable {
        /// Takes the files over. The second argument says which stage comes next.
        public typealias Finish =
            @Sendable ([DownloadedFile], _ report: (DownloadStage) -> Void) async throws -> Void

        public let plan: DownloadPlan
        public let staging: URL
        public let finish: Finish
        public let isDone: @Sendable () async throws -> Bool

        public init(
            _ plan: DownloadPlan,
            into staging: URL,
            then finish: @escaping Finish = { _, _ in },
            unless isDone: @escaping @Sendable () async throws -> Bool = { false }
        ) {
            self.plan = plan
            self.staging = staging
            self.finish = finish
            self.isDone = isDone
        }
    }

    private struct Entry {
        let job: Job
        let board: StatusBoard
        var task: Task<Void, Never>?
    }

    private let downloader: Downloader
    private var entries: [String: Entry] = [:]

    public init(downloader: Downloader) {
        self.downloader = downloader
    }

    /// Starts a download, or joins the one of that id that runs; one that is at rest is started again. An
    /// order that paused it is taken back.
    /// - Throws: ``BreezeError`` where the staging folder cannot be written.
    public func start(_ job: Job) throws {
        let id = job.plan.id
        if let entry = entries[id], !entry.board.status.state.isAtRest { return }
        try StagingFolder(job.staging).setOrder(nil)
        let progress = DownloadProgress(
            id: id,
            stage: .discovery,
            files: job.plan.files.map {
                DownloadProgress.File(
                    name: $0.name,
                    received: 0,
                    total: $0.size,
                    bytesPerSecond: 0,
                    isDone: false
                )
            },
            bytesPerSecond: 0
        )
        // Those who watched the last try see this one, too.
        let board =
            entries[id]?.board ?? StatusBoard(DownloadStatus(id: id, state: .running, progress: progress))
        board.update { $0.state = .running }
        let (downloader, before) = (downloader, entries[id]?.task)
        let task = Task {
            await before?.value
            let state = await Self.run(job, downloader, board)
            board.update { $0.state = state }
        }
        entries[id] = Entry(job: job, board: board, task: task)
    }

    private static func run(
        _ job: Job,
        _ downloader: Downloader,
        _ board: StatusBoard
    ) async -> DownloadStatus.State {
        do {
            let outcome = try await downloader.run(
                job.plan,
                into: job.staging,
                progress: { progress in board.update { $0.progress = progress } },
                unless: job.isDone,
                then: { files in
                    try await job.finish(files) { stage in board.update { $0.progress.stage = stage } }
                }
            )
            return .finished(outcome)
        } catch is CancellationError {
            return .cancelled
        } catch let error as BreezeError {
            switch error.code {
            case .paused: return .paused
            case .cancelled: return .cancelled
            default: return .failed(error)
            }
        } catch {
            return .failed(BreezeError(.internalError, "The download broke off.", underlying: error))
        }
    }

    /// All that this process knows of, by id.
    public func list() -> [DownloadStatus] {
        entries.values.map(\.board.status).sorted { $0.id < $1.id }
    }

    /// `nil` where this process knows of none.
    public func status(of id: String) -> DownloadStatus? {
        entries[id]?.board.status
    }

    /// The status now and whenever it changes, until the stream is dropped; the download does not care. `nil`
    /// where this process knows of none.
    public func watch(_ id: String) -> AsyncStream<DownloadStatus>? {
        entries[id]?.board.watch()
    }

    /// Waits until a download is done. Cancelling the task ends the waiting and not the download.
    /// - Throws: ``BreezeError``: its failure, `.paused`, `.cancelled`, or `.invalidRequest` where there is
    ///   none of that id.
    public func wait(for id: String) async throws -> DownloadOutcome {
        for await status in try entry(id).board.watch() {
            switch status.state {
            case .running: continue
            case .finished(let outcome): return outcome
            case .failed(let error): throw error
            case .paused: throw BreezeError(.paused, "The download of \(id) is paused.")
            case .cancelled: throw BreezeError(.cancelled, "The download of \(id) was cancelled.")
            }
        }
        throw CancellationError()
    }

    /// Stops it and keeps what is there, also where another process is at it. Returns when it has stopped
    /// here.
    public func pause(_ id: String) async throws {
        let entry = try entry(id)
        guard entry.board.status.state == .running else { return }
        try StagingFolder(entry.job.staging).setOrder(.pause)
        await stop(entry)
        entry.board.update { if $0.state == .cancelled { $0.state = .paused } }
    }

    /// Goes on with one that was paused, or has failed.
    public func resume(_ id: String) throws {
        try start(try entry(id).job)
    }

    /// Stops it and removes what is there, also where another process is at it. Returns when it has stopped
    /// here.
    public func cancel(_ id: String) async throws {
        let entry = try entry(id)
        if case .finished = entry.board.status.state { return }
        let folder = StagingFolder(entry.job.staging)
        try folder.setOrder(.cancel)
        await stop(entry)
        // Where nobody was at it, nobody has emptied it.
        if let lock = try? FileLock.ifFree(folder.lock) {
            folder.empty()
            lock.release()
        }
        entry.board.update { $0.state = .cancelled }
    }

    private func stop(_ entry: Entry) async {
        entry.task?.cancel()
        await entry.task?.value
    }

    private func entry(_ id: String) throws -> Entry {
        guard let entry = entries[id] else {
            throw BreezeError(.invalidRequest, "There is no download of \(id).")
        }
        return entry
    }
}
