public import Foundation

/// A file that is whole and was checked.
public struct DownloadedFile: Sendable, Hashable {
    /// As in the plan.
    public let name: String
    /// In the staging folder.
    public let url: URL
    public let size: Int64
    /// Of the bytes that came, whether or not the plan knew it.
    public let sha256: String
    /// As the server gave it; `nil` where it gave none.
    public let etag: String?
}

/// How a download ended well.
public enum DownloadOutcome: Sendable, Hashable {
    /// In the order of the plan.
    case downloaded([DownloadedFile])
    /// Another process or task had done it all by the time that it was this one's turn.
    case alreadyDone
}
