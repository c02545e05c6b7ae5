/// What has to happen between wanting a model and using it, in order. A download is in the first four;
/// whoever loads the model reports the others.
public enum DownloadStage: String, Codable, Sendable, CaseIterable {
    /// Asking what is there, and waiting for another process that fetches the same.
    case discovery
    case download
    case extraction
    /// Digests and formats are checked.
    case validation
    case initialisation
    case loading
    case ready
}

/// How far a download is.
public struct DownloadProgress: Sendable, Hashable, Codable {
    public struct File: Sendable, Hashable, Codable {
        public let name: String
        /// Bytes that are there, those of earlier runs among them.
        public internal(set) var received: Int64
        /// `nil` until the server says it.
        public internal(set) var total: Int64?
        /// In the last seconds.
        public internal(set) var bytesPerSecond: Double
        public internal(set) var isDone: Bool

        /// `nil` where nothing tells.
        public var secondsLeft: Double? { DownloadProgress.seconds(received, total, bytesPerSecond) }
    }

    public let id: String
    public internal(set) var stage: DownloadStage
    public internal(set) var files: [File]
    public internal(set) var bytesPerSecond: Double

    public var received: Int64 { files.reduce(0) { $0 + $1.received } }
    /// `nil` while that of any file is not known.
    public var total: Int64? {
        files.reduce(Int64?(0)) { sum, file in
            guard let sum, let total = file.total else { return nil }
            return sum + total
        }
    }
    public var secondsLeft: Double? { Self.seconds(received, total, bytesPerSecond) }

    /// The same download, in a stage that somebody else than the downloader sees to.
    public func entering(_ stage: DownloadStage) -> DownloadProgress {
        var next = self
        next.stage = stage
        return next
    }

    private static func seconds(_ received: Int64, _ total: Int64?, _ rate: Double) -> Double? {
        guard let total, rate > 0 else { return nil }
        return Double(max(0, total - received)) / rate
    }
}
