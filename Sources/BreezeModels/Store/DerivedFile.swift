import BreezeCore
import BreezeFiles
public import Foundation

/// A file made from a model's own: a graph, or a runtime's packed form of one. It may be lost: whoever needs
/// it asks the store, which makes it again.
public struct DerivedFile: Hashable, Sendable {
    public let url: URL
    public let record: Record

    /// Written after the file: a file without one is not finished.
    public struct Record: Codable, Hashable, Sendable {
        public var size: Int64
        /// Of the file's own bytes.
        public var sha256: String
        /// When the file was written, in nanoseconds since 1970: as long as the system says the same, the bytes
        /// need not be read to know them.
        public var modified: Int64
        /// What the graph has to answer; `nil` for a file that is no graph.
        public var probe: EncoderProbe?
    }

    /// Where the record of the file at `url` stands.
    static func record(of url: URL) -> URL {
        url.deletingLastPathComponent().appending(path: url.lastPathComponent + ".json")
    }

    /// `nil` where the file is missing, not finished, or not the one that was recorded: native code maps it,
    /// and would crash or compute nonsense.
    static func find(at url: URL) async throws -> DerivedFile? {
        guard let file = read(at: url) else { return nil }
        if FileStatus.modified(url) == file.record.modified { return file }
        return try await file.isIntact() ? file : nil
    }

    /// `nil` where the file is missing, not finished, or of another size than recorded.
    static func read(at url: URL) -> DerivedFile? {
        guard let bytes = try? FileReader.contents(of: record(of: url), limit: 1 << 20),
            let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)),
            FileStatus.size(of: url) == record.size
        else { return nil }
        return DerivedFile(url: url, record: record)
    }

    /// Byte for byte, which is more than ``read(at:)`` looks at.
    func isIntact() async throws -> Bool {
        try await FileReader(url: url).sha256() == record.sha256
    }

    /// Puts a finished file in its place, its record last. Only under the store's lock.
    static func install(_ file: URL, at url: URL, probe: EncoderProbe?) async throws -> DerivedFile {
        let reader = try FileReader(url: file)
        let record = Record(
            size: Int64(reader.size),
            sha256: try await reader.sha256(),
            modified: FileStatus.modified(file) ?? 0,
            probe: probe
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let staged = Self.record(of: file)
        let output = try OutputFile(creating: staged)
        try output.write([UInt8](try encoder.encode(record)))
        try output.finish()
        let folder = url.deletingLastPathComponent()
        try Folder.make(folder)
        try? FileManager.default.removeItem(at: Self.record(of: url))
        try WholeFile.move(file, to: url)
        try WholeFile.move(staged, to: Self.record(of: url))
        try Folder.sync(folder.deletingLastPathComponent())
        removeOlderVersions(of: url)
        return DerivedFile(url: url, record: record)
    }

    /// A name is `KIND-vNUMBER` and what distinguishes files of one version: other versions of the kind go.
    private static func removeOlderVersions(of url: URL) {
        guard let match = url.lastPathComponent.firstMatch(of: /^(.+-v)\d+/) else { return }
        for other in StoreLayout.contents(of: url.deletingLastPathComponent()) {
            guard let found = other.lastPathComponent.firstMatch(of: /^(.+-v)\d+/),
                found.1 == match.1, found.0 != match.0
            else { continue }
            try? FileManager.default.removeItem(at: other)
        }
    }
}
