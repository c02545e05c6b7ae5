#if Hub
public import BreezeCore
import BreezeFiles
import Foundation

/// How far a run has come. All are counts of messages since its start.
public struct IndexProgress: Codable, Hashable, Sendable {
    /// In directories that changed; of an mbox file those that were reached.
    public var found = 0
    /// Files read and parsed.
    public var read = 0
    /// A file with other content counts here, and its old content as deleted.
    public var new = 0
    /// With other flags.
    public var changed = 0
    /// To another folder.
    public var moved = 0
    /// More copies of what is in the index.
    public var copies = 0
    /// Messages that lie nowhere any more.
    public var deleted = 0
    public var failed = 0
    /// Links, pipes and devices, which are not opened.
    public var skipped = 0
    /// Until all that was found is read; `nil` while that cannot be said.
    public var secondsLeft: Double?

    public init() {}
}

/// What a run did.
public struct IndexReport: Codable, Sendable {
    public var counts: IndexProgress
    /// The first thousand; `counts.failed` has all.
    public var failures: [IndexFailure]
    /// Whether the mail stood still at last; else the next run takes up what changed meanwhile.
    public var isSettled: Bool
}

/// A file or directory that could not be read. What the index had of it stays.
public struct IndexFailure: Codable, Sendable {
    public var path: String
    public var error: BreezeError

    init(path: String, _ error: any Error) {
        self.path = path
        self.error =
            error as? BreezeError
            ?? BreezeError(.inputOutput, "\(path) cannot be read.", underlying: error)
    }

    init(path: String, _ number: Int32) {
        self.init(path: path, FileFault.reading(URL(filePath: path), number))
    }
}
#endif
