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
    func begin(
        _ target: URL,
        purpose: EgressPurpose,
        proxy: String? = nil,
        bytesUp: Int64
    ) throws -> EgressEntry {
        let entry = EgressEntry(
            host: target.host(percentEncoded: false) ?? "",
            port: target.effectivePort,
            purpose: purpose,
            proxy: proxy,
            bytesUp: bytesUp,
            time: now()
        )
        try append(entry)
        return entry
    }

    /// The line of the beginning is on disk already, so that this one may be lost.
    func end(_ entry: EgressEntry) {
        try? append(entry)
    }

    /// The newest connections, oldest first; rotated files are read as far as that needs.
    public func entries(last count: Int) throws -> [EgressEntry] {
        var found: [UUID: EgressEntry] = [:]
        var order: [UUID] = []
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        for number in 0...keptFiles {
            guard let data = try? Data(contentsOf: file(number)) else { break }
            // Backwards: the first line that is met of a connection is its last word.
            for line in data.split(separator: UInt8(ascii: "\n")).reversed() {
                // A line that a full disk cut short is passed over.
                guard let entry = try? decoder.decode(EgressEntry.self, from: line) else { continue }
                if let known = found[entry.id] {
                    if known.outcome == .open { found[entry.id] = entry }
                } else {
                    found[entry.id] = entry
                    order.append(entry.id)
                }
            }
            if order.count >= count { break }
        }
        let all = order.reversed().compactMap { found[$0] }
        return Array(all.sorted { $0.time < $1.time }.suffix(max(0, count)))
    }

    private func file(_ number: Int) -> URL {
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
