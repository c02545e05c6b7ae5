#if Hub
public import BreezeMail

/// How a run works.
public struct IndexSettings: Sendable {
    public var limits = MailLimits()
    /// Threads that parse; `nil` is one a core, at most eight.
    public var threads: Int?
    /// Called on the run's own thread: before the work, after each transaction, and at the end.
    public var progress: (@Sendable (IndexProgress) -> Void)?
    /// How messages are put into threads; `nil` leaves those that are new alone.
    public var threading: SubjectRule? = SubjectRule()
    /// Messages a transaction.
    package var batch = 2_000
    /// For tests: what happens between a walk and the reading of what it listed, by the walk's number.
    package var afterWalk: (@Sendable (Int) -> Void)?

    public init() {}
}
#endif
