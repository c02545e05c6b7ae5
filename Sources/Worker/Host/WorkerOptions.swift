/// How long a worker may take, and how its health is judged.
public struct WorkerOptions: Sendable {
    /// From the start of the process to its first words.
    public var startLimit: Duration = .seconds(30)
    public var loadLimit: Duration = .seconds(900)
    /// How long a cancelled request may go on before the worker is ended.
    public var cancelGrace: Duration = .seconds(1)
    /// How long a worker may take to unload before it is ended.
    public var unloadGrace: Duration = .seconds(5)
    /// How often a busy worker is asked whether it lives, and its memory looked at. An idle one is left alone: its
    /// health is looked at when it is needed again.
    public var checkInterval: Duration = .seconds(1)
    /// A worker that lets so many checks pass after a question without an answer is ended. Checks are counted, not
    /// seconds, so that a machine that sleeps or stalls is not taken for a dead worker.
    public var missedChecks = 5
    /// Chunks of one request that may be on their way; half of them come back as credit at a time.
    public var window = 16

    public init() {}
}
