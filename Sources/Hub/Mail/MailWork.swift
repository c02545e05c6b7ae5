#if Hub
import BreezeCore
import BreezeMailIndex
import BreezeMailJudgement
import BreezeMailSearch
import Foundation
import Synchronization

/// Reading mail into the index, then making its vectors and verdicts: once at a time, and as long as the hub runs.
final class MailWork: Sendable {
    /// How far it is.
    struct Status: Encodable, Sendable {
        enum Stage: String, Encodable, Sendable {
            case idle, reading, embedding, judging
        }

        struct Failure: Encodable, Sendable {
            let path: String
            let message: String
        }

        var stage = Stage.idle
        /// What is read now, or was last.
        var paths: [String] = []
        var reading: IndexProgress?
        var vectors: Vectors?
        var judging: Judging?
        /// Messages that could not be read: the first of them.
        var failures: [Failure] = []
        /// What the last run ended with; absent where it did what it was to do.
        var error: MailFault?
    }

    /// Messages with a verdict. It waits where ``Vectors`` does.
    struct Judging: Encodable, Sendable {
        let done: Int
        let total: Int
        let secondsLeft: Double?
    }

    struct Vectors: Encodable, Sendable {
        enum State: String, Encodable, Sendable {
            case idle, working, paused, waiting
        }

        let state: State
        /// Why it waits.
        let reason: String?
        let done: Int
        let total: Int
        let failed: Int
        let secondsLeft: Double?

        init(_ progress: EmbeddingProgress) {
            switch progress.state {
            case .idle: (state, reason) = (.idle, nil)
            case .working: (state, reason) = (.working, nil)
            case .paused: (state, reason) = (.paused, nil)
            case .waiting(let why): (state, reason) = (.waiting, why)
            }
            (done, total, failed) = (progress.done, progress.total, progress.failed)
            secondsLeft = progress.secondsLeft
        }
    }

    private struct Run {
        var status = Status()
        var task: Task<Void, Never>?
        var queue: AIProcessingQueue?
    }

    private static let shownFailures = 20

    private let desk: MailDesk
    private let changed: @Sendable (Status) -> Void
    private let run = Mutex(Run())

    /// `changed` is called with each step.
    init(_ desk: MailDesk, changed: @escaping @Sendable (Status) -> Void) {
        self.desk = desk
        self.changed = changed
    }

    var status: Status { run.withLock { $0.status } }

    /// Lists of mail are other ones now, though no run made them so.
    func tell() { changed(status) }

    /// - Throws: ``BreezeError`` `conflict` where it is at work already.
    func begin(_ places: [String]) throws {
        let status = try run.withLock { run in
            guard run.task == nil else {
                throw BreezeError(
                    .conflict,
                    "Mail is being indexed already.",
                    remedy: "Wait until that is done, or stop it; searching goes on meanwhile."
                )
            }
            run.status = Status(stage: .reading, paths: places)
            run.task = Task { await self.work(places) }
            return run.status
        }
        changed(status)
    }

    /// Returns when it stands still. What was done stays done, and the next run goes on from there.
    func stop() async {
        let task = run.withLock { $0.task }
        task?.cancel()
        await task?.value
    }

    /// For a hub that ends.
    func cancel() {
        run.withLock { $0.task }?.cancel()
    }

    func pause() async throws { try await queue.pause() }

    func resume() async throws { try await queue.resume() }

    private var queue: AIProcessingQueue {
        get throws {
            if let queue = run.withLock({ $0.queue }) { return queue }
            throw BreezeError(
                .conflict,
                "No vectors are being made.",
                remedy: "They are after the mail was read: breeze mail index"
            )
        }
    }

    // MARK: - Work

    private func work(_ places: [String]) async {
        var fault: MailFault?
        do {
            try await read(places)
            try await process()
        } catch {
            let known = FailureMiddleware.known(error)
            if known.code == .noRunner {
                fault = await desk.encoderFault() ?? MailFault(known)
            } else if known.code != .cancelled {
                fault = MailFault(known)
            }
        }
        let end = fault
        change { run in
            (run.task, run.queue) = (nil, nil)
            run.status.stage = .idle
            run.status.error = end
        }
    }

    private func read(_ places: [String]) async throws {
        let order = IndexOrder(index: desk.file, places.map { .path(URL(filePath: $0)) })
        let report = try await desk.reading.index(order) { progress in
            self.change { $0.status.reading = progress }
        }
        try Task.checkCancellation()
        change { run in
            run.status.reading = report.counts
            run.status.failures = report.failures.prefix(Self.shownFailures).map {
                Status.Failure(path: $0.path, message: $0.error.message)
            }
        }
    }

    private func process() async throws {
        let opened = try desk.known
        var settings = ProcessingSettings()
        settings.embedding.progress = { progress in
            self.change { $0.status.vectors = Vectors(progress) }
        }
        settings.progress = { progress in
            self.change { run in
                run.status.judging = Judging(
                    done: progress.done,
                    total: progress.total,
                    secondsLeft: progress.secondsLeft
                )
                run.status.stage = progress.encoderFault == nil ? .embedding : .judging
            }
        }
        let queue = AIProcessingQueue(opened.judge, embedder: desk.embedder, settings: settings)
        change { run in
            run.queue = queue
            run.status.stage = .embedding
        }
        try await queue.run()
        // Mail was judged all the same, by words and headers.
        if let fault = await queue.progress.encoderFault { throw fault }
    }

    private func change(_ change: (inout Run) -> Void) {
        let status = run.withLock { run in
            change(&run)
            return run.status
        }
        changed(status)
    }
}
#endif
