public import BreezeCore

/// What a download is doing, for whoever looks.
public struct DownloadStatus: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        case running
        case paused
        case finished(DownloadOutcome)
        case failed(BreezeError)
        case cancelled

        /// Whether nothing more happens unless somebody asks for it.
        public var isAtRest: Bool { self != .running }
    }

    public let id: String
    public internal(set) var state: State
    /// Of the last time that it ran.
    public internal(set) var progress: DownloadProgress
}
