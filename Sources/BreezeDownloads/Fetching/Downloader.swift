import BreezeCore
import BreezeFiles
public import BreezeTransport
public import Foundation

/// Fetches the files of a plan into a folder, and goes on where an earlier try, of whatever process, stopped.
///
/// One process at a time downloads into a folder: others wait, follow its progress, take over where it dies,
/// and find the work done where it does not. A file gets its name when it is whole and its digest is right.
public struct Downloader: Sendable {
    private let transport: any HTTPTransport
    private let options: DownloadOptions
    private let environment: DownloadEnvironment
    private let limiter: RateLimiter?

    public init(
        transport: any HTTPTransport,
        options: DownloadOptions = DownloadOptions(),
        environment: DownloadEnvironment = DownloadEnvironment()
    ) {
        self.transport = transport
        self.options = options
        self.environment = environment
        limiter = options.bytesPerSecond.map {
            RateLimiter(bytesPerSecond: $0, clock: DownloadClock(environment.clock))
        }
    }

    /// Cancelling the task stops it; what is there stays there for the next call. An order that lies in the
    /// folder is obeyed: whoever starts anew takes it back first with ``StagingFolder/setOrder(_:)``.
    ///
    /// - Parameters:
    ///   - plan: What to fetch.
    ///   - staging: Made where it is missing; of the plan alone, and of one revision of it.
    ///   - progress: Called ten times a second at most, from any thread.
    ///   - isDone: Asked when no other process is at it: whether there is nothing left to do.
    ///   - finish: What to do with the files before others get their turn, such as moving them away, with the
    ///     whole folder.
    /// - Returns: The files, as they lie in the staging folder unless `finish` took them.
    /// - Throws: ``BreezeError``: `.authRequired`, `.integrity`, `.downloadFailed`, `.resourceUnavailable`,
    ///   `.timeout`, `.insufficientDisk`, `.inputOutput`, and `.paused` or `.cancelled` where
    ///   ``StagingFolder/Order`` asked for it; `CancellationError`; what `isDone` and `finish` throw.
    public func run(
        _ plan: DownloadPlan,
        into staging: URL,
        progress: @escaping @Sendable (DownloadProgress) -> Void = { _ in },
        unless isDone: @Sendable () async throws -> Bool = { false },
        then finish: @Sendable ([DownloadedFile]) async throws -> Void = { _ in }
    ) async throws -> DownloadOutcome {
        try plan.check()
        let folder = StagingFolder(staging)
        let polling = DownloadClock(environment.pollingClock)
        let meter = ProgressMeter(plan, clock: DownloadClock(environment.clock), report: progress)
        meter.enter(.discovery)
        let lock = try await FileLock.acquire(folder.lock, every: .milliseconds(100), sleep: polling.sleep) {
            try Self.obey(folder, plan)
            for (index, file) in plan.files.enumerated() {
                if let size = folder.received(file.name) { meter.follow(index, received: size) }
            }
        }
        defer { lock.release() }
        if try await isDone() { return .alreadyDone }
        do {
            try Self.obey(folder, plan)
            meter.enter(.download)
            let files = try await fetchAll(plan, folder, meter, polling)
            meter.enter(.validation)
            try await finish(files)
            return .downloaded(files)
        } catch let error as BreezeError where error.code == .cancelled {
            folder.empty()
            throw error
        }
    }

    private static func obey(_ folder: StagingFolder, _ plan: DownloadPlan) throws {
        switch folder.order {
        case .pause:
            throw BreezeError(.paused, "The download of \(plan.id) is paused.", remedy: "Resume it to go on.")
        case .cancel: throw BreezeError(.cancelled, "The download of \(plan.id) was cancelled.")
        case nil: return
        }
    }

    private func fetchAll(
        _ plan: DownloadPlan,
        _ folder: StagingFolder,
        _ meter: ProgressMeter,
        _ polling: DownloadClock
    ) async throws -> [DownloadedFile] {
        let context = DownloadContext(
            transport: transport,
            options: options,
            clock: DownloadClock(environment.clock),
            now: environment.now,
            jitter: environment.jitter,
            freeBytes: environment.freeBytes,
            limiter: limiter,
            folder: folder,
            meter: meter
        )
        let known = plan.files.reduce(Int64(0)) { sum, file in
            sum.addingReportingOverflow(max(0, (file.size ?? 0) - (folder.received(file.name) ?? 0)))
                .partialValue
        }
        do {
            try context.checkSpace(for: known)
            return try await withThrowingTaskGroup(of: [DownloadedFile]?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await fetchFiles(plan, context) }
                group.addTask {
                    while true {
                        try await polling.sleep(.milliseconds(200))
                        try Self.obey(folder, plan)
                    }
                }
                guard let files = try await group.next() ?? nil else { throw CancellationError() }
                return files
            }
        } catch let fault as BreezeError where fault.code == .insufficientDisk {
            throw DownloadFault.fullDisk(fault)
        }
    }

    private func fetchFiles(_ plan: DownloadPlan, _ context: DownloadContext) async throws -> [DownloadedFile]
    {
        try await withThrowingTaskGroup(of: (Int, DownloadedFile).self) { group in
            var done: [Int: DownloadedFile] = [:]
            for index in plan.files.indices {
                if index >= max(1, options.filesAtOnce), let (number, file) = try await group.next() {
                    done[number] = file
                }
                group.addTask { (index, try await Self.fetch(index, of: plan, context)) }
            }
            for try await (number, file) in group { done[number] = file }
            return plan.files.indices.compactMap { done[$0] }
        }
    }

    private static func fetch(
        _ index: Int,
        of plan: DownloadPlan,
        _ context: DownloadContext
    ) async throws -> DownloadedFile {
        if let file = try FileDownload.finished(plan.files[index], context.folder) {
            context.meter.set(index, received: file.size, total: file.size, isDone: true)
            return file
        }
        return try await FileDownload(index, of: plan, context.folder, context).run()
    }
}
