import BreezeCore
import BreezeMailIndex
import BreezeMailSearch
import Foundation

/// Reading mail, then embedding it, with what a person sees of both.
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

        init(_ counts: IndexProgress, messages: Int, _ embedding: EmbeddingProgress?) {
            (new, changed, moved, copies) = (counts.new, counts.changed, counts.moved, counts.copies)
            (deleted, failed, skipped) = (counts.deleted, counts.failed, counts.skipped)
            self.messages = messages
            (embedded, passages) = (embedding?.done, embedding?.total)
        }
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

    /// `nil` where there is no encoder; words find everything then, too.
    func embed() async throws -> EmbeddingProgress? {
        let line = ProgressLine(json: options.json)
        defer { line.clear() }
        var settings = EmbeddingSettings()
        settings.progress = { progress in
            line.show(
                "embedding",
                detail: Self.left(progress.secondsLeft),
                completed: Int64(progress.done),
                total: Int64(progress.total)
            )
        }
        let queue = EmbeddingQueue(
            index: index,
            vectors: MailVectors(beside: index),
            embedder: try await Composition(options).engine,
            settings: settings
        )
        do { try await queue.run() } catch {
            guard let error = error as? BreezeError, error.code == .noRunner else { throw error }
            line.clear()
            Console.printError(
                "note: Search by meaning needs an encoder. \(Remedies.noRunner(for: .embedding))"
            )
            return nil
        }
        return await queue.progress
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
