/// What an archive may at most unpack to: more is taken for an attack, or a mistake.
public struct ArchiveLimits: Codable, Hashable, Sendable {
    public var totalBytes: Int64
    /// Bytes that come out of each byte of the archive. Weights hardly compress, texts tenfold.
    public var ratio: Int64 = 100
    /// Files, folders and links.
    public var entries = 20_000
    /// Bytes of a path in the archive.
    public var nameLength = 1_000
    /// Folders within each other.
    public var depth = 32

    public init(totalBytes: Int64 = 16 << 30) {
        self.totalBytes = totalBytes
    }
}

/// What came out of an archive.
public struct ArchiveContents: Codable, Hashable, Sendable {
    public var files = 0
    public var bytes: Int64 = 0
}
