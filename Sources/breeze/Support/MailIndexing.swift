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
        let report = try await MailIndexerProcess(order: IndexOrder(index: index.url, roots)).run { counts in
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

/// `breeze-mail-index`, which lies beside this program.
struct MailIndexerProcess: Sendable {
    let order: IndexOrder

    /// - Throws: ``BreezeError`` as the index's own run, `unavailable` where the program is not there; and where it
    ///   ended without a word `worker_crashed`: the next run goes on.
    func run(_ progress: @escaping @Sendable (IndexProgress) -> Void) async throws -> IndexReport {
        let program = Bundle.main.bundleURL.appending(path: "breeze-mail-index")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            throw BreezeError(
                .unavailable,
                "The program that reads mail is not beside this one: \(program.path).",
                remedy: "Build it: swift build --product breeze-mail-index"
            )
        }
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = program
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        return try await withTaskCancellationHandler {
            try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(order) + Data("\n".utf8))
            let last = try await Self.follow(output.fileHandleForReading, progress)
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            try Task.checkCancellation()
            switch last {
            case .report(let report): return report
            case .failed(let error): throw error
            case .progress, nil:
                throw BreezeError(
                    .runFailed,
                    "The program that reads mail ended before its work was done.",
                    remedy: "Start it again: it goes on where it was."
                )
            }
        } onCancel: {
            process.terminate()
        }
    }

    private static func follow(
        _ handle: FileHandle,
        _ progress: @escaping @Sendable (IndexProgress) -> Void
    ) async throws -> IndexWord? {
        try await withCheckedThrowingContinuation { continuation in
            // It waits for the other process, and the pool's threads are for work that does not.
            let thread = Thread {
                continuation.resume(with: Result { try words(of: handle, progress) })
            }
            thread.name = "mail"
            thread.start()
        }
    }

    private static func words(of handle: FileHandle, _ progress: (IndexProgress) -> Void) throws -> IndexWord?
    {
        var (pending, last) = (Data(), IndexWord?.none)
        while let data = try handle.read(upToCount: 1 << 16), !data.isEmpty {
            pending += data
            while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                let word = try JSONDecoder().decode(IndexWord.self, from: pending[..<end])
                if case .progress(let counts) = word { progress(counts) }
                last = word
                pending = Data(pending[pending.index(after: end)...])
            }
        }
        return last
    }
}
