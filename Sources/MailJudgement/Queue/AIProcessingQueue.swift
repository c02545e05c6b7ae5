#if Hub
package import BreezeCore
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailSearch

/// Makes of indexed mail what search and lists show: the embedding first, then category, spam and phishing from it, in
/// one pass of the encoder.
///
/// What there is to do stands in the index's file: a queue that ended at any moment is gone on with by the next one, and
/// one that finds nothing to do does nothing. The newest mail comes first, and before it what somebody asked for.
package actor AIProcessingQueue {
    private let judge: MailJudge
    private let embedding: EmbeddingQueue
    private let settings: ProcessingSettings
    package private(set) var progress = ProcessingProgress()
    private var wanted: [Int64] = []
    private var session: Session?

    private struct Session {
        /// Messages below it are not looked at yet: those with a vector, then all others.
        var embedded = Int64.max
        var others = Int64.max
        /// Judged in this run, to be settled at its end: only then is it known who wrote before.
        var judged: [Int64] = []
        /// Time that judging took, embedding not counted.
        var spent = Duration.zero
    }

    package init(_ judge: MailJudge, embedder: any InferenceService, settings: ProcessingSettings) {
        self.judge = judge
        self.settings = settings
        var embeddingSettings = settings.embedding
        embeddingSettings.limit = judge.limits.hundred * embeddingSettings.batch / 100
        embedding = EmbeddingQueue(
            index: judge.index,
            vectors: judge.vectors,
            embedder: embedder,
            settings: embeddingSettings
        )
    }

    /// These come next.
    package func enqueue(_ messages: [Int64]) {
        let known = Set(wanted)
        wanted += messages.filter { !known.contains($0) }
    }

    /// Works until every message has its vectors and its verdict.
    /// - Throws: ``BreezeError``: `busy` where another process does the same, `cancelled` with the task, what the encoder
    ///   threw but for its absence, and what reading mail threw. What was done stays done.
    package func run() async throws {
        while try await processNext() {}
    }

    /// Works on the next few messages.
    /// - Returns: whether there were any.
    @discardableResult
    package func processNext() async throws -> Bool {
        do {
            if session == nil { try await begin() }
            try Task.checkCancellation()
            if try await step() { return true }
        } catch {
            await end()
            guard error is CancellationError else { throw error }
            throw BreezeError(
                .cancelled,
                "Judging mail was cancelled.",
                remedy: "Start it again: it goes on where it was."
            )
        }
        await end()
        return false
    }

    package func pause() async { await embedding.pause() }

    package func resume() async { await embedding.resume() }

    // MARK: - Work

    private func begin() async throws {
        try await embedding.begin()
        session = Session()
        progress.encoderFault = nil
        try await count()
        do {
            try await embedding.open()
        } catch let error as BreezeError where error.code != .cancelled && Self.isOfTheEncoder(error) {
            progress.encoderFault = error
        }
    }

    private func end() async {
        guard session != nil else { return }
        session = nil
        await embedding.end()
    }

    /// Judging goes on without an encoder, and says so.
    private static func isOfTheEncoder(_ error: BreezeError) -> Bool {
        ![.insufficientDisk, .inputOutput].contains(error.code)
    }

    private func step() async throws -> Bool {
        guard let session else { return false }
        if !wanted.isEmpty {
            let next = Array(wanted.prefix(settings.embedding.batch))
            wanted.removeFirst(next.count)
            try await embedding.embed(firstOf: next)
            try await judge(next)
            return true
        }
        let embedded = try await judge.table.stale(before: session.embedded, isEmbedded: true)
        if let lowest = embedded.last {
            self.session?.embedded = lowest
            try await judge(embedded)
            return true
        }
        if progress.encoderFault == nil, let messages = try await embedNext() {
            try await judge(messages)
            return true
        }
        let others = try await judge.table.stale(before: session.others, isEmbedded: false)
        if let lowest = others.last {
            self.session?.others = lowest
            try await judge(others)
            return true
        }
        try await judge.settle(session.judged)
        if !session.judged.isEmpty { try await count() }
        return false
    }

    /// `nil` where nothing is left to embed, or the encoder is of no use any more.
    private func embedNext() async throws -> [Int64]? {
        do {
            return try await embedding.next()
        } catch let error as BreezeError where error.code != .cancelled && Self.isOfTheEncoder(error) {
            progress.encoderFault = error
            return nil
        }
    }

    private func judge(_ messages: [Int64]) async throws {
        guard !messages.isEmpty else { return }
        try await embedding.mayGoOn()
        let started = ContinuousClock.now
        try await judge.judge(messages)
        session?.judged += messages
        session?.spent += .now - started
        progress.done = min(progress.total, progress.done + messages.count)
        if let session {
            let each = session.spent / .seconds(1) / Double(session.judged.count)
            progress.secondsLeft = each * Double(progress.total - progress.done)
        }
        settings.progress?(progress)
    }

    private func count() async throws {
        (progress.done, progress.total) = try await judge.table.progress()
        settings.progress?(progress)
    }
}
#endif
