#if Hub
import BreezeCore
import BreezeFiles
public import BreezeMail
import BreezeStore
public import Foundation
import GRDB
import Synchronization

/// Where mail is read from; it is never written to, moved or locked.
public enum MailRoot: Hashable, Sendable {
    /// A Maildir, an mbox file, a file of one message, or a directory tree of any of these.
    case path(URL)
    /// One message, from standard input for example. It is kept in the index alone.
    case message([UInt8])
}

/// The index of a person's mail, in one file: what is in which message, and where it lies.
///
/// One process indexes; any number read meanwhile, and see what its transactions have finished.
public final class MailIndex: Sendable {
    /// What happened to a damaged file that this one took the place of: a sentence for the person, who then indexes
    /// once more. What they had corrected is here again, as far as it could be read.
    public let notice: String?
    let store: Store
    private let lockFile: URL

    /// Opens or makes the index. Blocks its thread, for seconds after a crash, when the whole file is checked.
    /// - Throws: ``BreezeError``: `newer_schema` where a later release wrote it, `input_output`, `insufficient_disk`,
    ///   `busy`.
    public static func open(at url: URL) throws -> MailIndex {
        let store = try Store.open(url, schema: MailSchema.schema)
        guard let aside = store.movedAside else { return MailIndex(store, url, notice: nil) }
        let saved = try CorrectionSalvage(aside.url).restore(into: store)
        let notice = aside.notice(of: "the mail index") + " " + saved.sentence
        return MailIndex(store, url, notice: notice)
    }

    private init(_ store: Store, _ url: URL, notice: String?) {
        self.store = store
        self.notice = notice
        lockFile = url.deletingLastPathComponent().appending(path: url.lastPathComponent + ".writer")
    }

    /// Takes the log of changes into the file. Nothing can be read or written after.
    public func close() throws { try store.close() }

    /// Brings the index up to what lies in `roots`; what it has of other places stays.
    ///
    /// What cannot be read is in the report, and tried again by the next run. A run that was cancelled, or killed,
    /// is taken up by the next one.
    /// - Throws: ``BreezeError``: `busy` where somebody else indexes, `cancelled` with the task, `insufficient_disk`
    ///   and `input_output` of the index's own file, `unavailable` where the parser is.
    public func index(
        _ roots: [MailRoot],
        with parser: any MessageParser,
        settings: IndexSettings = IndexSettings()
    ) async throws -> IndexReport {
        guard let lock = try FileLock.ifFree(lockFile) else {
            throw BreezeError(
                .busy,
                "Another process is indexing mail into \(store.url.path).",
                remedy: "Wait until it is done; reading and searching go on meanwhile."
            )
        }
        defer { lock.release() }
        var (paths, input): ([String], [[UInt8]]) = ([], [])
        for root in roots {
            switch root {
            case .path(let url): paths.append(Self.resolved(url))
            case .message(let bytes): input.append(bytes)
            }
        }
        try await remember(paths)
        let isCancelled = Atomic(false)
        return try await withTaskCancellationHandler {
            try await Self.onThread { [store, paths, input] in
                let run = IndexRun(store, parser, settings) { isCancelled.load(ordering: .relaxed) }
                return try run.run(paths, input: input)
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }

    /// A root may be reached through links; below it none are followed.
    private static func resolved(_ url: URL) -> String {
        guard let path = realpath(url.path, nil) else { return url.standardizedFileURL.path }
        defer { free(path) }
        return String(cString: path)
    }

    private func remember(_ paths: [String]) async throws {
        let known = try await store.read { try String.fetchSet($0, sql: "SELECT path FROM source") }
        let new = paths.filter { !known.contains($0) }
        guard !new.isEmpty else { return }
        try await store.write { database in
            for path in new {
                try database.execute(sql: "INSERT OR IGNORE INTO source VALUES (?)", arguments: [path])
            }
        }
    }

    /// A run blocks, for minutes perhaps: it gets a thread that is nobody else's.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws
        -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try body() }) }
            thread.stackSize = 8 << 20
            thread.qualityOfService = .utility
            thread.name = "breeze.mail.index"
            thread.start()
        }
    }
}
#endif
