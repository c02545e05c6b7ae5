/// One request that a worker answers.
struct WorkerCall: Sendable {
    enum Event: Sendable {
        case chunk(ArraySlice<UInt8>)
        case result(ArraySlice<UInt8>)
        case failure(any Error)
    }

    let id: UInt32
    /// Chunks that the worker may still send; one more is a breach of the protocol, which alone keeps ``events``
    /// short.
    var credit: Int
    /// The last event is a result or a failure.
    let events = Inbox<Event>()
}
