#if Hub
public import BreezeCore
import BreezeFiles
import BreezeMail
public import BreezeMailIndex
import BreezeVectors
import Foundation

/// Gives the passages of an index their vectors, in the background.
///
/// What there is to do stands in the index's file, so a run that ended at any moment is gone on with by the next one:
/// vectors are written first, and marked as done in one transaction after. A queue that finds nothing to do does
/// nothing. Each message's first passage comes before the later ones of all.
public actor EmbeddingQueue {
    let index: MailIndex
    let vectors: MailVectors
    let encoder: MailEncoder
    let settings: EmbeddingSettings
    public private(set) var progress = EmbeddingProgress()
    /// What a run holds from its beginning to its end.
    private var session: Session?
    private var isPaused = false
    private var resumption: [CheckedContinuation<Void, Never>] = []
    private var pace = EmbeddingPace()

    private struct Session {
        let lock: FileLock
        var store: VectorStore?
        /// Read and sorted, and not yet sent.
        var window: ArraySlice<OpenPassage> = []
        var isFirst = true
    }

    /// Passages that are read at once, and sent sorted by their length.
    private static let window = 512
    private static let mostAttempts = 5

    /// `embedder` gets requests that may not leave the device.
    public init(
        index: MailIndex,
        vectors: MailVectors,
        embedder: any InferenceService,
        settings: EmbeddingSettings = EmbeddingSettings()
    ) {
        self.index = index
        self.vectors = vectors
        self.settings = settings
        encoder = MailEncoder(service: embedder, model: settings.model)
    }

    /// Works until every passage has its vector, which ends at once where each has.
    /// - Throws: ``BreezeError``: `busy` where this queue runs already or another process embeds the same mail,
    ///   `cancelled` with the task, what the encoder threw, `insufficient_disk` and `input_output`. What was done
    ///   stays done.
    public func run() async throws {
        try begin()
        defer { end() }
        do {
            try await open()
            while try await next() != nil {}
        } catch is CancellationError {
            throw BreezeError(
                .cancelled,
                "Embedding was cancelled.",
                remedy: "Start it again: it goes on where it was."
            )
        }
    }

    /// Ends no request that is under way; none follows it.
    public func pause() {
        isPaused = true
        if session != nil { tell(.paused) }
    }

    public func resume() {
        isPaused = false
        for waiter in resumption { waiter.resume() }
        resumption = []
    }

    // MARK: - Work

    /// Keeps others from embedding the same mail until ``end()``.
    /// - Throws: ``BreezeError`` `busy`.
    package func begin() throws {
        let file = index.url.deletingLastPathComponent()
            .appending(path: index.url.lastPathComponent + ".embedding")
        guard session == nil, let lock = try FileLock.ifFree(file) else {
            throw BreezeError(
                .busy,
                "This mail is being embedded already.",
                remedy: "Wait until that is done; searching goes on meanwhile."
            )
        }
        session = Session(lock: lock)
    }

    package func end() {
        guard let lock = session?.lock else { return }
        session = nil
        vectors.closeStore()
        lock.release()
        tell(.idle)
    }

    /// Makes ready to embed, once the queue may work.
    /// - Throws: what the encoder threw, and as ``run()`` does.
    package func open() async throws {
        try await mayGoOn()
        let store = try await openStore()
        try await PassageTable(index).split()
        progress = try await PassageTable(index).progress(failed: progress.failed)
        session?.store = store
        tell(.working)
    }

    /// Embeds the next passages, those that messages begin with before all others.
    /// - Returns: messages that got the vector of their first passage; `nil` where nothing was left to do.
    package func next() async throws -> [Int64]? {
        guard var session, let store = session.store else { return nil }
        while session.window.isEmpty {
            let window = try await PassageTable(index).open(isFirst: session.isFirst, limit: Self.window)
            if window.isEmpty {
                guard session.isFirst else {
                    try store.flush()
                    return nil
                }
                session.isFirst = false
            }
            // Texts of one length are done at one time; the longest first, so that no core is left with one.
            session.window = window.sorted { $0.text.utf8.count > $1.text.utf8.count }[...]
        }
        let batch = Array(session.window.prefix(settings.batch))
        session.window = session.window.dropFirst(settings.batch)
        self.session = session
        try await mayGoOn()
        try await embed(batch, isFirst: session.isFirst, store)
        return session.isFirst ? batch.map(\.id.message) : []
    }

    /// Embeds the first passages of these messages, where they have no vector yet.
    package func embed(firstOf messages: [Int64]) async throws {
        guard let store = session?.store else { return }
        let batch = try await PassageTable(index).open(firstOf: messages)
        guard !batch.isEmpty else { return }
        let done = Set(batch.map(\.id))
        session?.window.removeAll { done.contains($0.id) }
        try await mayGoOn()
        try await embed(batch, isFirst: true, store)
    }

    /// Waits while the queue is paused, and while the device has no power or memory to spare.
    package func mayGoOn() async throws {
        while true {
            try Task.checkCancellation()
            if isPaused {
                tell(.paused)
                await withTaskCancellationHandler {
                    await withCheckedContinuation { resumption.append($0) }
                } onCancel: {
                    Task { await self.wake() }
                }
            } else if let reason = settings.conditions.reason {
                tell(.waiting(reason))
                try await settings.sleep(settings.wait)
            } else {
                if progress.state != .working { tell(.working) }
                return
            }
        }
    }

    private func wake() {
        for waiter in resumption { waiter.resume() }
        resumption = []
    }

    private func tell(_ state: EmbeddingProgress.State) {
        progress.state = state
        settings.progress?(progress)
    }

    // MARK: - Vectors

    private func embed(_ batch: [OpenPassage], isFirst: Bool, _ store: VectorStore) async throws {
        let started = ContinuousClock.now
        let (entries, failed) = try await entries(batch, isFirst ? .utility : .background)
        let rows = try store.append(entries)
        try settings.afterAppend?()
        let stale = try await PassageTable(index).finish(batch, with: entries.map(\.id))
        if !stale.isEmpty {
            try store.remove(zip(rows, entries).filter { stale.contains($0.1.id) }.map(\.0))
        }
        pace.add(bytes: batch.reduce(0) { $0 + $1.text.utf8.count }, .now - started)
        progress.done += batch.count
        progress.firstDone += isFirst ? batch.count : 0
        progress.failed += failed
        // Messages may have come and gone meanwhile.
        progress.total = max(progress.total, progress.done)
        progress.firstTotal = max(progress.firstTotal, progress.firstDone)
        progress.secondsLeft = pace.secondsLeft(progress.total - progress.done)
        tell(.working)
    }

    /// A text that the encoder does not take is left out, and the others of its batch are not.
    private func entries(_ batch: [OpenPassage], _ priority: RequestPriority) async throws
        -> ([VectorEntry], failed: Int)
    {
        let wanted = batch.filter { $0.text.utf8.contains { $0 > 32 } }
        guard !wanted.isEmpty else { return ([], 0) }
        do {
            let answer = try await patiently { [encoder, settings] in
                try await encoder.embed(wanted.map(\.text), as: .passage, priority, limit: settings.limit)
            }
            var (entries, failed): ([VectorEntry], Int) = ([], 0)
            for (passage, vector) in zip(wanted, answer.vectors) {
                // All zeros, or no numbers.
                guard let vector = try? QuantizedVector(vector) else {
                    failed += 1
                    continue
                }
                entries.append(VectorEntry(id: passage.id.rawValue, vector: vector))
            }
            return (entries, failed)
        } catch let error as BreezeError where Self.isOfTheText(error) {
            guard wanted.count > 1 else { return ([], 1) }
            let half = wanted.count / 2
            let (left, right) = (Array(wanted[..<half]), Array(wanted[half...]))
            let (first, second) = (try await entries(left, priority), try await entries(right, priority))
            return (first.0 + second.0, first.failed + second.failed)
        }
    }

    private static func isOfTheText(_ error: BreezeError) -> Bool {
        [.contextSizeExceeded, .invalidRequest, .guardianBlocked].contains(error.code)
    }

    /// Repeats what a busy device refused.
    private func patiently<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
    {
        for _ in 1..<Self.mostAttempts {
            do {
                return try await body()
            } catch let error as BreezeError
                where [.busy, .resourceUnavailable, .insufficientMemory, .timeout].contains(error.code)
            {
                tell(.waiting(error.message))
                try await settings.sleep(error.retryAfter ?? settings.wait)
                try await mayGoOn()
            }
        }
        return try await body()
    }
}

/// How fast passages are embedded, by those of the last while.
struct EmbeddingPace {
    private var seconds = 0.0
    private var passages = 0.0
    /// The last so many requests count half.
    private static let memory = 0.97

    mutating func add(bytes: Int, _ duration: Duration) {
        seconds = seconds * Self.memory + duration / .seconds(1)
        passages = passages * Self.memory + Double(bytes) / Double(PassageSplitter.length)
    }

    /// As if every passage were as long as it may be.
    func secondsLeft(_ count: Int) -> Double? {
        passages > 0 ? seconds / passages * Double(max(0, count)) : nil
    }
}
#endif
