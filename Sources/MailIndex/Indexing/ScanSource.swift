#if Hub
import Foundation
import GRDB

/// The steps of all directories, one after another.
struct ScanSource {
    enum Event {
        case step(ScanStep)
        case end(FoundDirectory, Int64)
        /// A file that cannot be read, or not to its end.
        case failed(FoundDirectory, IndexFailure)
    }

    /// Messages that have come into sight.
    private(set) var found: Int
    private let directories: [FoundDirectory]
    private let ids: [String: Int64]
    private let known: [String: KnownDirectory]
    private let hasPlaces: Bool
    private let parse: (ParseJob) -> ParseJob.Outcome
    private var at = 0
    private var files: DirectoryScan?
    private var mbox: MboxScan?

    init(
        _ directories: [FoundDirectory],
        ids: [String: Int64],
        known: [String: KnownDirectory],
        hasPlaces: Bool,
        parse: @escaping (ParseJob) -> ParseJob.Outcome
    ) {
        self.parse = parse
        self.directories = directories
        self.ids = ids
        self.known = known
        self.hasPlaces = hasPlaces
        found = directories.reduce(0) { sum, directory in
            switch directory.kind {
            case .messages: sum + (directory.listing?.count ?? 0)
            case .tree: sum + directory.messages.count
            case .lone: sum + 1
            case .maildir, .mbox, .input: sum
            }
        }
    }

    /// `nil` when all is done.
    mutating func next(_ writer: IndexWriter) throws -> Event? {
        while at < directories.count {
            let directory = directories[at]
            guard let id = ids[directory.path] else {
                at += 1
                continue
            }
            do {
                if let step = try step(directory, id, writer) { return .step(step) }
            } catch let error as DatabaseError {
                throw error
            } catch {
                advance()
                return .failed(directory, IndexFailure(path: directory.path, error))
            }
            advance()
            return .end(directory, id)
        }
        return nil
    }

    private mutating func advance() {
        at += 1
        files = nil
        mbox = nil
    }

    private func siblings(_ directory: FoundDirectory, _ id: Int64) -> Set<Int64> {
        guard directory.kind == .messages, let slash = directory.path.lastIndex(of: "/") else { return [id] }
        let folder = directory.path[..<slash]
        let found = ["cur", "new"].compactMap { name in
            ids["\(folder)/\(name)"] ?? known["\(folder)/\(name)"]?.id
        }
        return Set(found + [id])
    }

    private mutating func step(_ directory: FoundDirectory, _ id: Int64, _ writer: IndexWriter) throws
        -> ScanStep?
    {
        guard directory.kind == .mbox, let stamp = directory.stamp else {
            var scan =
                try files
                ?? DirectoryScan(
                    directory,
                    id: id,
                    hasPlaces: hasPlaces,
                    siblings: siblings(directory, id),
                    writer
                )
            files = nil
            let step = try scan.next(writer)
            files = scan
            return step
        }
        var scan =
            try mbox
            ?? MboxScan(directory, id: id, known: known[directory.path], stamp: stamp, writer, parse: parse)
        mbox = nil
        let step = try scan.next(writer)
        mbox = scan
        if case .read = step { found += 1 }
        return step
    }
}
#endif
