import BreezeCore
import BreezeMailIndex
import BreezeMailJudgement
import BreezeMailSearch
import Foundation
import Synchronization

/// Reading mail, then embedding and judging it, with what a person sees of it.
struct MailIndexing: Sendable {
    let index: MailIndex
    let options: EngineOptions

    /// For scripts.
    struct Report: Encodable {
        let new, changed, moved, copies, deleted, failed, skipped: Int
        /// In the whole index.
        let messages: Int
        /// Passages with a vector, of all; absent where none were made.
        let embedded: Int?
        let passages: Int?
        /// Messages with a verdict; absent where none were judged.
        let judged: Int?

        init(_ counts: IndexProgress, messages: Int, _ outcome: Outcome?) {
            (new, changed, moved, copies) = (counts.new, counts.changed, counts.moved, counts.copies)
            (deleted, failed, skipped) = (counts.deleted, counts.failed, counts.skipped)
            self.messages = messages
            (embedded, passages) = (outcome?.embedding?.done, outcome?.embedding?.total)
            judged = outcome?.judged
        }
    }

    /// What came of the work after reading.
    struct Outcome {
        /// `nil` where there is no encoder.
        let embedding: EmbeddingProgress?
        let judged: Int
    }

    func read(_ roots: [MailRoot]) async throws -> IndexProgress {
        let line = ProgressLine(json: options.json)
        defer { line.clear() }
        let report = try await MailIndexerProcess().index(IndexOrder(index: index.url, roots)) { counts in
            line.show(
                "reading mail",
                detail: Self.left(counts.secondsLeft),
                completed: Int64(counts.read),
                total: Int64(counts.found)
            )
        }
        line.clear()
        for failure in report.failures.prefix(20) {
            Console.printError("note: \(failure.error.message)".printable)
        }
        if report.counts.failed > 20 {
            Console.printError("note: \(report.counts.failed - 20) more could not be read.")
        }
        return report.counts
    }

    /// Makes vectors and verdicts. Without an encoder words find and judge everything, and a note says so.
    func process() async throws -> Outcome {
        let line = ProgressLine(json: options.json)
        defer { line.clear() }
        let composition = try await Composition(options)
        let judge = try MailPlace.judge(index, composition)
        let vectors = Mutex<EmbeddingProgress?>(nil)
        var settings = ProcessingSettings()
        settings.embedding.progress = { progress in
            vectors.withLock { $0 = progress }
            line.show(
                "embedding",
                detail: Self.left(progress.secondsLeft),
                completed: Int64(progress.done),
                total: Int64(progress.total)
            )
        }
        settings.progress = { progress in
            // While vectors are made their line says how far all is.
            guard vectors.withLock({ $0?.state }) != .working else { return }
            line.show(
                "judging",
                detail: Self.left(progress.secondsLeft),
                completed: Int64(progress.done),
                total: Int64(progress.total)
            )
        }
        let queue = AIProcessingQueue(judge, embedder: composition.engine, settings: settings)
        try await queue.run()
        line.clear()
        let progress = await queue.progress
        guard let fault = progress.encoderFault else {
            return Outcome(embedding: vectors.withLock { $0 }, judged: progress.done)
        }
        guard fault.code == .noRunner else { throw fault }
        Console.printError(
            "note: Search by meaning needs an encoder, and categories and warnings are less sure without. "
                + Remedies.noRunner(for: .embedding)
        )
        return Outcome(embedding: nil, judged: progress.done)
    }

    static func sentence(_ counts: IndexProgress, messages: Int) -> String {
        let kinds = [
            (counts.new, "new"), (counts.changed, "changed"), (counts.moved, "moved"),
            (counts.deleted, "deleted"), (counts.failed, "not readable"),
        ]
        let words = kinds.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let what = words.isEmpty ? "Nothing changed" : words.joined(separator: ", ")
        return "\(what); \(messages) messages in the index."
    }

    private static func left(_ seconds: Double?) -> String {
        guard let seconds else { return "" }
        return seconds < 60
            ? "\(Int(seconds.rounded(.up))) s left" : "\(Int((seconds / 60).rounded(.up))) min left"
    }
}
