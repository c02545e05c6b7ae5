import BreezeCore
public import Foundation

/// The record of every outgoing connection: JSON lines in a file that only its owner may read.
///
/// A connection is written down before it is made, and once more when it is over: a crash hides none, and
/// where the line cannot be written the connection is not made. Several processes may share the file.
public actor EgressLedger {
    private let url: URL
    private let maximumBytes: Int
    private let keptFiles: Int
    private let now: @Sendable () -> Date
    /// What the clock said last, and how often in a row.
    private var reading: (date: Date, count: Int)?

    /// The folder of `url` must exist. A file that has grown beyond `maximumBytes` becomes `NAME.1`, the one
    /// before `NAME.2`, and so on up to `keptFiles`.
    public init(
        url: URL,
        maximumBytes: Int = 1 << 20,
        keptFiles: Int = 4,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.url = url
        self.maximumBytes = maximumBytes
        self.keptFiles = keptFiles
        self.now = now
    }

    /// - Throws: ``BreezeError`` `.inputOutput` where it cannot be written down; the connection must not be
    ///   made then.
    package func begin(
        _ target: URL,
        purpose: EgressPurpose,
        client: EgressClient? = nil,
        proxy: String? = nil,
        bytesUp: Int64
    ) throws -> EgressEntry {
        let entry = EgressEntry(
            host: target.host(percentEncoded: false) ?? "",
            port: target.effectivePort,
            purpose: purpose,
            client: client,
            proxy: proxy,
            bytesUp: bytesUp,
            time: time()
        )
        try append(entry)
        return entry
    }

    /// A connection that the switch forbids. That it cannot be written down makes it no less forbidden.
    package func refuse(_ target: URL, purpose: EgressPurpose, client: EgressClient?, proxy: String?) {
        var entry = EgressEntry(
            host: target.host(percentEncoded: false) ?? "",
            port: target.effectivePort,
            purpose: purpose,
            client: client,
            proxy: proxy,
            bytesUp: 0,
            time: time()
        )
        entry.outcome = .refused
        try? append(entry)
    }

    /// Two entries of one process never have the same, so that they stay in order.
    private func time() -> Date {
        let date = now()
        let count = reading.map { $0.date == date ? $0.count + 1 : 0 } ?? 0
        reading = (date, count)
        return date.addingTimeInterval(Double(count) * 1e-6)
    }

    /// The line of the beginning is on disk already, so that this one may be lost.
    package func end(_ entry: EgressEntry) {
        try? append(entry)
    }

    /// A part of the ledger, newest first, over all of its files; one of them is in memory at a time. `limit` is 1 to
    /// 1000, and other values become the nearest of these; `cursor` is ``EgressPage/next`` of the page before, `nil`
    /// for the first one.
    /// - Throws: ``BreezeError`` `.inputOutput` where a file is there and cannot be read.
    @concurrent
    public nonisolated func page(limit: Int, before cursor: EgressPage.Cursor? = nil) async throws
        -> EgressPage
    {
        try read(limit: min(max(1, limit), 1_000), before: cursor)
    }

    /// The newest connections, oldest first.
    @concurrent
    public nonisolated func entries(last count: Int) async throws -> [EgressEntry] {
        try read(limit: max(0, count), before: nil).entries.reversed()
    }

    /// From the newest file to the oldest: one that is rotated meanwhile is met twice, which does no harm, and never
    /// missed.
    private nonisolated func read(limit: Int, before cursor: EgressPage.Cursor?) throws -> EgressPage {
        var selection = EgressSelection(limit: limit, before: cursor)
        for number in 0...keptFiles {
            do { selection.take(try Data(contentsOf: file(number))) } catch let error as CocoaError
                where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
            {
                continue
            } catch {
                throw BreezeError(
                    .inputOutput,
                    "The egress ledger \(file(number).path) cannot be read.",
                    remedy: "Check that it is a file and that you may read it.",
                    underlying: error
                )
            }
        }
        return selection.page
    }

    private nonisolated func file(_ number: Int) -> URL {
        number == 0 ? url : url.appendingPathExtension("\(number)")
    }

    private func append(_ entry: EgressEntry) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var line: [UInt8]
        do { line = try [UInt8](encoder.encode(entry)) + [UInt8(ascii: "\n")] } catch {
            throw BreezeError(
                .internalError,
                "An entry of the egress ledger has no JSON form.",
                underlying: error
            )
        }
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        var last = UInt8(ascii: "\n")
        if status.st_size > 0, pread(descriptor, &last, 1, status.st_size - 1) == 1,
            last != UInt8(ascii: "\n")
        {
            line.insert(UInt8(ascii: "\n"), at: 0)
        }
        // One call, which O_APPEND puts behind what other processes write.
        let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard written == line.count else { throw failure(written < 0 ? errno : ENOSPC) }
        if Int(status.st_size) + line.count > maximumBytes { rotate() }
    }

    /// Whoever has the lock rotates; another one goes on with the file that it has.
    private func rotate() {
        let lock = open(url.path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { return }
        defer { close(lock) }
        var status = stat()
        guard flock(lock, LOCK_EX | LOCK_NB) == 0, stat(url.path, &status) == 0,
            Int(status.st_size) > maximumBytes
        else {
            return
        }
        for number in stride(from: keptFiles - 1, through: 0, by: -1) {
            rename(file(number).path, file(number + 1).path)
        }
    }

    private func failure(_ number: Int32) -> BreezeError {
        BreezeError(
            .inputOutput,
            "The egress ledger \(url.path) cannot be written: \(String(cString: strerror(number))).",
            remedy: "Make its folder writable and free some space; without the ledger nothing is sent."
        )
    }
}
