#if Hub
import BreezeCore
import BreezeMail
import BreezeStore
import Foundation
import GRDB
import Synchronization

/// One run over the mail, on a thread of its own: finds what changed, has it parsed, and writes it in transactions.
///
/// A directory's time is written in the transaction that holds the last of its messages, so that a run that dies at
/// any moment is taken up where it was: what was written is known by its name, and what was not is read.
final class IndexRun {
    let store: Store
    let settings: IndexSettings
    let isCancelled: @Sendable () -> Bool
    var counts = IndexProgress()
    private(set) var failures: [IndexFailure] = []
    private let pool: ParsePool
    private let started = ContinuousClock.now
    private var seen: [String: Int64] = [:]
    private var ids: [String: Int64] = [:]
    private var known: [String: KnownDirectory] = [:]
    private var hasPlaces = false
    /// Directories of this run that lack a message.
    private var incomplete: Set<Int64> = []
    /// What was skipped or failed.
    private var told: Set<String> = []
    /// Messages that were found in more places than before.
    var linked: Set<Int64> = []
    /// Directories that are not there any more.
    var removed: Set<Int64> = []
    private var isRepeated = false
    private var isFresh = false

    /// Jobs that are read ahead: enough for a writer that is busy for a moment.
    private static let window = 256
    /// Mail that is moved about all the time is left to the next run.
    private static let mostWalks = 5
    private static let mostFailures = 1_000
    /// What a transaction changes has room in memory, or SQLite writes its pages again and again before the end.
    private static let (cache, usualCache) = (32 << 10, 2_000)

    init(
        _ store: Store,
        _ parser: any MessageParser,
        _ settings: IndexSettings,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.store = store
        self.settings = settings
        self.isCancelled = isCancelled
        let cores = ProcessInfo.processInfo.activeProcessorCount
        pool = ParsePool(parser, limits: settings.limits, threads: max(1, settings.threads ?? min(cores, 8)))
    }

    deinit { pool.end() }

    /// `paths` are absolute and without links.
    func run(_ paths: [String], input: [[UInt8]] = []) throws -> IndexReport {
        settings.progress?(counts)
        try keep(Self.cache)
        defer { try? keep(Self.usualCache) }
        var isSettled = false
        for round in 0..<Self.mostWalks {
            try load()
            // What changed in the same tick of the clock would go unseen.
            if isFresh { usleep(UInt32(MailWalk.tick / 1_000)) }
            isFresh = false
            var walk = MailWalk(known: known, seen: seen)
            for path in paths { walk.walk(path) }
            take(walk)
            let missing = missing(paths, walk)
            // Nothing changed while it was read: what is missed now lies nowhere.
            isSettled = walk.found.isEmpty && missing.isEmpty && !isRepeated
            if isSettled { break }
            isRepeated = false
            settings.afterWalk?(round)
            try scan(walk.found, missing)
        }
        try read(input)
        if isSettled { try settle() }
        try thread()
        counts.secondsLeft = 0
        settings.progress?(counts)
        return IndexReport(counts: counts, failures: failures, isSettled: isSettled)
    }

    /// One transaction. What it changes is counted, since a search keeps what it found until the count moves on.
    func write<Value>(_ body: (IndexWriter) throws -> Value) throws -> Value {
        try store.writeNow { database in
            let before = database.totalChangesCount
            let value = try body(IndexWriter(database: database))
            if database.totalChangesCount > before {
                try database.execute(sql: "UPDATE fact SET value = value + 1 WHERE name = 'changes'")
            }
            return value
        }
    }

    /// How much of the file stays in memory between changes, in KiB.
    private func keep(_ size: Int) throws {
        try store.writeNow { try $0.execute(sql: "PRAGMA cache_size = -\(size)") }
    }

    private func load() throws {
        (known, hasPlaces) = try store.readNow { database in
            var known: [String: KnownDirectory] = [:]
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT id, path, kind, modified, size, head FROM directory"
            )
            while let row = try rows.next() {
                known[row[1]] = KnownDirectory(
                    id: row[0],
                    kind: DirectoryKind(rawValue: row[2]) ?? .tree,
                    modified: row[3],
                    size: row[4],
                    head: (row[5] as Data?).map { Array($0) } ?? []
                )
            }
            let hasPlaces = try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM place)") ?? true
            return (known, hasPlaces)
        }
    }

    private func take(_ walk: MailWalk) {
        for path in walk.skipped { skip(path) }
        for failure in walk.failures { fail(failure) }
    }

    /// A directory may be listed more than once.
    private func skip(_ path: String) {
        if told.insert(path).inserted { counts.skipped += 1 }
    }

    private func fail(_ failure: IndexFailure) {
        guard told.insert(failure.path).inserted else { return }
        counts.failed += 1
        if failures.count < Self.mostFailures { failures.append(failure) }
    }

    /// Directories that the index knows below `paths` and that are not there any more.
    private func missing(_ paths: [String], _ walk: MailWalk) -> [Int64] {
        func lies(_ path: String, below roots: [String]) -> Bool {
            roots.contains { path == $0 || path.hasPrefix($0 == "/" ? $0 : $0 + "/") }
        }
        return known.compactMap { path, directory in
            let isMissing =
                !walk.visited.contains(path) && directory.kind != .input && lies(path, below: paths)
                && !lies(path, below: walk.unknown) && !removed.contains(directory.id)
            return isMissing ? directory.id : nil
        }
    }

    // MARK: - Reading and writing

    /// A step that waits for its turn to be written.
    private enum Pending {
        case read(ParseJob, NewPlace)
        case finish(FoundDirectory, Int64)
    }

    private func scan(_ found: [FoundDirectory], _ missing: [Int64]) throws {
        try write { writer in
            for directory in missing { try remove(directory, writer) }
            for directory in found { try register(directory, writer) }
        }
        var source = ScanSource(found, ids: ids, known: known, hasPlaces: hasPlaces) { [pool] in
            pool.parseLarge($0)
        }
        var pending: [Pending] = []
        var first = 0
        var isDone = false
        while !isDone {
            if isCancelled() { throw Self.cancelled }
            try write { writer in
                var written = 0
                while written < settings.batch, !isCancelled() {
                    while pending.count - first < Self.window, let event = try source.next(writer) {
                        try take(event, &pending)
                    }
                    guard first < pending.count else {
                        isDone = true
                        break
                    }
                    written += try write(pending[first], writer)
                    first += 1
                    if first == Self.window {
                        pending.removeFirst(first)
                        first = 0
                    }
                }
            }
            counts.found = max(counts.found, source.found)
            report(left: source.found - counts.read)
        }
    }

    private static var cancelled: BreezeError {
        BreezeError(
            .cancelled,
            "The index run was cancelled.",
            remedy: "Run it again: it goes on where it was."
        )
    }

    private func register(_ directory: FoundDirectory, _ writer: IndexWriter) throws {
        if let old = known[directory.path] {
            ids[directory.path] = old.id
            removed.remove(old.id)
            guard old.kind != directory.kind else { return }
            for place in try writer.places(in: old.id) { try writer.miss(place.id) }
            try writer.change(old.id, to: directory.kind, folder: directory.folder)
            known[directory.path] = nil
        } else {
            ids[directory.path] = try writer.register(directory)
        }
    }

    private func remove(_ directory: Int64, _ writer: IndexWriter) throws {
        for place in try writer.places(in: directory) { try writer.miss(place.id) }
        try writer.finish(directory, modified: nil, size: 0)
        removed.insert(directory)
    }

    private func take(_ event: ScanSource.Event, _ pending: inout [Pending]) throws {
        switch event {
        case .step(.read(let job, let place)):
            pool.add(job)
            pending.append(.read(job, place))
        case .step(.linked(let message)):
            linked.insert(message)
            counts.copies += 1
        case .step(.moved): counts.moved += 1
        case .step(.flagged): counts.changed += 1
        case .step(.skipped(let path)): skip(path)
        case .step(.failed(let failure)): fail(failure)
        case .step(.vanished): isRepeated = true
        case .end(let directory, let id): pending.append(.finish(directory, id))
        case .failed(let directory, let failure):
            fail(failure)
            seen[directory.path] = directory.stamp?.modified
        }
    }

    /// - Returns: how many messages were read for it.
    private func write(_ step: Pending, _ writer: IndexWriter) throws -> Int {
        switch step {
        case .read(let job, let place):
            try write(job, place, writer)
            return 1
        case .finish(let directory, let id):
            try finish(directory, id, writer)
            return 0
        }
    }

    private func write(_ job: ParseJob, _ place: NewPlace, _ writer: IndexWriter) throws {
        var outcome = job.wait()
        if case .large = outcome { outcome = pool.parseLarge(job) }
        switch outcome {
        case .message(let record, let stamp):
            counts.read += 1
            if let message = try writer.message(record) {
                linked.insert(message)
                counts.copies += 1
                try writer.insert(place, of: message, stamp)
            } else {
                counts.new += 1
                try writer.insert(place, of: try writer.insert(record), stamp)
            }
        case .failed(let error):
            fail(IndexFailure(path: job.path, error))
            incomplete.insert(place.directory)
        case .vanished, .large:
            isRepeated = true
            incomplete.insert(place.directory)
        }
    }

    /// The directory's messages are all there: the next run need not look at it, unless it changed just when it was
    /// listed.
    private func finish(_ directory: FoundDirectory, _ id: Int64, _ writer: IndexWriter) throws {
        // One that cannot be listed.
        guard directory.listing != nil || directory.stamp != nil else { return }
        let isIncomplete = incomplete.remove(id) != nil
        let modified: Int64
        let hasChanged: (_ within: Int64) -> Bool
        if let listing = directory.listing {
            modified = listing.modified
            hasChanged = { listing.isFresh(within: $0) }
        } else if let stamp = directory.stamp, FileStamp(path: directory.path) == stamp {
            modified = stamp.modified
            hasChanged = { abs(FileStamp.now() - stamp.modified) < $0 }
        } else {
            isRepeated = true
            return try writer.finish(id, modified: nil, size: 0)
        }
        // A failed message is not tried again in this run.
        if hasChanged(MailWalk.tick) {
            isFresh = true
            seen[directory.path] = nil
        } else {
            seen[directory.path] = modified
        }
        let isOver = !isIncomplete && !hasChanged(MailWalk.coarsest)
        try writer.finish(id, modified: isOver ? modified : nil, size: directory.stamp?.size ?? 0)
    }

    private func report(left: Int) {
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        counts.secondsLeft = counts.read > 100 ? seconds / Double(counts.read) * Double(max(0, left)) : nil
        settings.progress?(counts)
    }

    // MARK: - Messages without a file

    private func read(_ input: [[UInt8]]) throws {
        guard !input.isEmpty else { return }
        try write { writer in
            let directory = FoundDirectory(path: "-", kind: .input, folder: "")
            try register(directory, writer)
            guard let id = ids[directory.path] else { return }
            let now = FileStamp.now()
            for bytes in input {
                counts.found += 1
                let job = ParseJob(
                    path: "-",
                    source: .bytes(bytes),
                    stamp: FileStamp(size: bytes.count, modified: now)
                )
                guard case .message(let record, let stamp) = pool.parseLarge(job) else { continue }
                counts.read += 1
                if try writer.message(record) == nil {
                    counts.new += 1
                    try writer.insert(NewPlace(directory: id), of: try writer.insert(record), stamp)
                } else {
                    counts.copies += 1
                }
            }
        }
    }
}
#endif
