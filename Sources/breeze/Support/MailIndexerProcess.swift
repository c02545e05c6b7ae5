import BreezeCore
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import Foundation
import Synchronization

/// `breeze-mail-index`, which lies beside this program and reads what strangers wrote.
struct MailIndexerProcess: FactsReading {
    /// Seconds until a message that is to be shown is given up.
    private static let longestPage = 15

    /// - Throws: ``BreezeError`` as the index's own run, `unavailable` where the program is not there; and where it
    ///   ended without a word `run_failed`: the next run goes on.
    func index(
        _ order: IndexOrder,
        _ progress: @escaping @Sendable (IndexProgress) -> Void
    ) async throws -> IndexReport {
        let last = try await run([], order) { line in
            let word = try JSONDecoder().decode(IndexWord.self, from: line)
            if case .progress(let counts) = word { progress(counts) }
            return word
        }
        switch last {
        case .report(let report): return report
        case .failed(let error): throw error
        case .progress, nil: throw Self.silent
        }
    }

    /// One message as its sender laid it out.
    /// - Throws: ``BreezeError``: `not_found` where it lies there no more, `timeout` where it takes too long, and as
    ///   ``index(_:_:)`` does.
    func page(_ order: PageOrder) async throws -> MailPage {
        let isLate = Atomic(false)
        let work = Task {
            try await run(["page"], order) { try JSONDecoder().decode(PageWord.self, from: $0) }
        }
        let clock = Task {
            try await Task.sleep(for: .seconds(Self.longestPage))
            isLate.store(true, ordering: .relaxed)
            work.cancel()
        }
        defer { clock.cancel() }
        do {
            switch try await withTaskCancellationHandler(
                operation: { try await work.value },
                onCancel: { work.cancel() }
            ) {
            case .page(let page): return page
            case .failed(let error): throw error
            case nil: throw Self.silent
            }
        } catch  where isLate.load(ordering: .relaxed) {
            throw BreezeError(
                .timeout,
                "The message takes too long to lay out.",
                remedy: "Read its text, which the index has."
            )
        }
    }

    /// What the messages are judged by, one for each: the places in their order, then the message.
    /// - Throws: as ``index(_:_:)`` does; what cannot be read of one message is told for that one.
    func facts(_ order: FactsOrder) async throws -> [Result<MailFacts, BreezeError>] {
        let heard = Mutex<[Result<MailFacts, BreezeError>]>([])
        _ = try await run(["facts"], order) { line in
            let word: Result<MailFacts, BreezeError> =
                switch try JSONDecoder().decode(FactsWord.self, from: line) {
                case .facts(let facts): .success(facts)
                case .failed(let error): .failure(error)
                }
            heard.withLock { $0.append(word) }
        }
        let facts = heard.withLock { $0 }
        guard !facts.isEmpty else { throw Self.silent }
        guard facts.count == order.places.count + (order.message == nil ? 0 : 1) else {
            throw BreezeError(
                .runFailed,
                "The program that reads mail ended at \(order.places.dropFirst(facts.count).first?.path ?? "-").",
                remedy: "Judge the others without it."
            )
        }
        return facts
    }

    /// Takes in a list of known phishing domains, which replaces the one that there is.
    /// - Throws: ``BreezeError``: what the list's own reading throws, and as ``index(_:_:)`` does.
    func takeIn(_ order: DomainListOrder) async throws -> DomainListCounts {
        switch try await run(["domains"], order, { try JSONDecoder().decode(DomainListWord.self, from: $0) })
        {
        case .done(let counts): return counts
        case .failed(let error): throw error
        case nil: throw Self.silent
        }
    }

    private static var silent: BreezeError {
        BreezeError(
            .runFailed,
            "The program that reads mail ended before its work was done.",
            remedy: "Start it again: it goes on where it was."
        )
    }

    /// Gives the program its order, and the last word that it said.
    private func run<Word: Sendable>(
        _ arguments: [String],
        _ order: some Encodable & Sendable,
        _ hear: @escaping @Sendable (Data) throws -> Word
    ) async throws -> Word? {
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
        process.arguments = arguments
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        return try await withTaskCancellationHandler {
            try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(order) + Data("\n".utf8))
            let last = try await Self.follow(output.fileHandleForReading, hear)
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
            try Task.checkCancellation()
            return last
        } onCancel: {
            process.terminate()
        }
    }

    private static func follow<Word: Sendable>(
        _ handle: FileHandle,
        _ hear: @escaping @Sendable (Data) throws -> Word
    ) async throws -> Word? {
        try await withCheckedThrowingContinuation { continuation in
            // It waits for the other process, and the pool's threads are for work that does not.
            let thread = Thread {
                continuation.resume(with: Result { try words(of: handle, hear) })
            }
            thread.name = "mail"
            thread.start()
        }
    }

    private static func words<Word>(of handle: FileHandle, _ hear: (Data) throws -> Word) throws -> Word? {
        var (pending, last) = (Data(), Word?.none)
        while let data = try handle.read(upToCount: 1 << 16), !data.isEmpty {
            var searched = pending.count
            pending += data
            while let end = pending[(pending.startIndex + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                last = try hear(Data(pending[..<end]))
                pending = Data(pending[pending.index(after: end)...])
                searched = 0
            }
        }
        return last
    }
}
