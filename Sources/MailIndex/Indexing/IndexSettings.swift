#if Hub
public import BreezeMail

/// How a run works.
public struct IndexSettings: Sendable {
    public var limits = MailLimits()
    /// Threads that parse; `nil` is one a core, at most eight.
    public var threads: Int?
    /// Called on the run's own thread: before the work, after each transaction, and at the end.
    public var progress: (@Sendable (IndexProgress) -> Void)?
    /// Puts messages into threads; `nil` leaves every message alone.
    public var threading: ThreadAssignment?
    /// Messages a transaction.
    package var batch = 2_000
    /// For tests: what happens between a walk and the reading of what it listed, by the walk's number.
    package var afterWalk: (@Sendable (Int) -> Void)?

    public init() {}
}

/// Given all messages of the index, says which belong together: each inner array is a thread, of ids from the list.
/// Whom it leaves out is alone.
public typealias ThreadAssignment = @Sendable ([ThreadMember]) -> [[Int64]]

/// What threading knows of a message.
public struct ThreadMember: Sendable {
    public var id: Int64
    public var messageID: String
    public var references: [String]
    public var inReplyTo: [String]
    public var subject: BaseSubject
    /// Seconds since 1970.
    public var date: Int64?
}
#endif
