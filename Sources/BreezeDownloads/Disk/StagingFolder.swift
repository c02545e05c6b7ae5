import BreezeCore
import BreezeFiles
public import Foundation

/// The folder in which a download comes together: finished files under their names, the others beside their
/// records.
public struct StagingFolder: Sendable, Hashable {
    /// What any process may ask of the one that downloads into the folder.
    public enum Order: String, Sendable {
        /// Keeps what is there.
        case pause
        /// Removes it.
        case cancel
    }

    static let partSuffix = ".part"
    static let recordSuffix = ".part.json"
    static let ownSuffixes = [partSuffix, recordSuffix]
    static let ownNames: Set = [".lock", ".order"]

    public let url: URL

    public init(_ url: URL) {
        self.url = url.absoluteURL.standardizedFileURL
    }

    var lock: URL { url.appending(path: ".lock") }
    private var orderFile: URL { url.appending(path: ".order") }

    func final(_ name: String) -> URL { url.appending(path: name) }
    func part(_ name: String) -> URL { url.appending(path: name + Self.partSuffix) }
    func record(_ name: String) -> URL { url.appending(path: name + Self.recordSuffix) }

    /// What the process that downloads here was asked for last; `nil` to go on. It looks several times a
    /// second.
    public var order: Order? {
        (try? String(contentsOf: orderFile, encoding: .utf8)).flatMap { Order(rawValue: $0) }
    }

    /// Leaves an order, or takes it back with `nil`; it holds until it is taken back.
    /// - Throws: ``BreezeError`` `.inputOutput` where the folder cannot be written.
    public func setOrder(_ order: Order?) throws {
        guard let order else {
            guard unlink(orderFile.path) == 0 || errno == ENOENT else {
                throw FileFault.writing(orderFile, errno)
            }
            return
        }
        try create()
        try WholeFile.replace(orderFile, Array(order.rawValue.utf8))
    }

    /// What is there of all files, whole ones and parts.
    public var bytes: Int64 {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        return names.filter { !Self.ownNames.contains($0) && !$0.hasSuffix(Self.recordSuffix) }
            .reduce(0) { $0 + (FileStatus.size(of: url.appending(path: $1)) ?? 0) }
    }

    func create() throws { try Folder.make(url) }

    /// Removes all that lies in it, but not the lock, which the caller holds, nor the order, which others may
    /// not have seen yet.
    func empty() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        where !Self.ownNames.contains(entry) {
            try? FileManager.default.removeItem(at: url.appending(path: entry))
        }
    }

    func readRecord(_ name: String) -> PartRecord? {
        guard let data = try? Data(contentsOf: record(name)) else { return nil }
        return try? JSONDecoder().decode(PartRecord.self, from: data)
    }

    /// Where it is `synced`, a power cut right after it takes nothing back; the disk is waited for.
    func write(_ record: PartRecord, _ name: String, synced: Bool = false) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(record) else {
            throw BreezeError(.internalError, "The record of \(name) has no JSON form.")
        }
        try WholeFile.replace(self.record(name), [UInt8](data), synced: synced)
    }

    /// Bytes that are there of a file, finished or not; `nil` where there are none.
    func received(_ name: String) -> Int64? {
        FileStatus.size(of: final(name)) ?? FileStatus.size(of: part(name))
    }
}
