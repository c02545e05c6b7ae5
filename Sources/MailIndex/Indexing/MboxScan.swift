#if Hub
import BreezeCore
import BreezeMail
import Foundation

/// Compares an mbox file with what the index has of it. A file that begins as it did, is longer, and has its last known
/// message where it was has only grown, and is read from there on. Any other is read anew.
struct MboxScan {
    /// Of the file, held against what it began with: another beginning is another file.
    private static let headBytes = 256

    private let path: String
    private let id: Int64
    private let stamp: FileStamp
    private var reader: MboxReader
    /// What the last known message has to be; afterwards `nil`.
    private var last: KnownPlace?
    private let parse: (ParseJob) -> ParseJob.Outcome

    /// Where the file was rewritten, what the index has of it is marked as missed. `parse` is for the message that has to
    /// be the same as before.
    init(
        _ found: FoundDirectory,
        id: Int64,
        known: KnownDirectory?,
        stamp: FileStamp,
        _ writer: IndexWriter,
        parse: @escaping (ParseJob) -> ParseJob.Outcome
    ) throws {
        self.parse = parse
        path = found.path
        self.id = id
        self.stamp = stamp
        let url = URL(filePath: found.path)
        let head = try Self.head(of: url)
        let places = try writer.places(in: id)
        let hasBegun = known.map { !$0.head.isEmpty && head.starts(with: $0.head) } ?? false
        // A size of nothing is one of a run that did not come to the end.
        let hasGrown = hasBegun && (known.map { $0.size == 0 || stamp.size > $0.size } ?? false)
        let final = places.max { ($0.start ?? 0) < ($1.start ?? 0) }
        if hasGrown, let final, let start = final.start,
            let offset = try Self.separator(before: start, in: url)
        {
            last = final
            reader = try MboxReader(url, from: offset)
        } else {
            for place in places { try writer.miss(place.id) }
            reader = try MboxReader(url)
        }
        try writer.begin(mbox: id, head: head)
    }

    /// `nil` at the end.
    mutating func next(_ writer: IndexWriter) throws -> ScanStep? {
        guard var entry = try reader.next() else {
            // What was there last is there no more.
            guard last != nil else { return nil }
            try restart(writer)
            return try next(writer)
        }
        if let last {
            self.last = nil
            if last.start == entry.start, last.length == entry.length, try isSame(last, entry, writer) {
                return try next(writer)
            }
            try restart(writer)
            guard let first = try reader.next() else { return nil }
            entry = first
        }
        let place = NewPlace(
            directory: id,
            start: entry.start,
            length: entry.length,
            quoting: entry.quoting.rawValue
        )
        return .read(ParseJob(path: path, source: .mbox(entry), stamp: stamp), place)
    }

    private func isSame(_ place: KnownPlace, _ entry: MboxEntry, _ writer: IndexWriter) throws -> Bool {
        let job = ParseJob(path: path, source: .mbox(entry), stamp: stamp)
        guard case .message(let record, _) = parse(job) else { return false }
        return try writer.message(record) == place.message
    }

    private mutating func restart(_ writer: IndexWriter) throws {
        last = nil
        for place in try writer.places(in: id) { try writer.miss(place.id) }
        reader = try MboxReader(URL(filePath: path))
    }

    private static func head(of url: URL) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        return Array(try handle.read(upToCount: headBytes) ?? Data())
    }

    /// Of the line that ends where a message starts.
    private static func separator(before start: Int64, in url: URL) throws -> Int64? {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        let from = max(0, start - 1_000)
        try handle.seek(toOffset: UInt64(from))
        let bytes = Array(try handle.read(upToCount: Int(start - from)) ?? Data())
        guard Int64(bytes.count) == start - from, bytes.last == 10 else { return nil }
        let line = bytes.dropLast().lastIndex(of: 10).map { $0 + 1 } ?? (from == 0 ? 0 : nil)
        return line.map { from + Int64($0) }
    }
}
#endif
