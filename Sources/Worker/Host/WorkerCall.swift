/// One request that a worker answers.
struct WorkerCall: Sendable {
    enum Event: Sendable {
        case chunk(ArraySlice<UInt8>)
        case result(ArraySlice<UInt8>)
        case failure(any Error)
    }

    let id: UInt32
    /// The last event is a result or a failure.
    let events = Inbox<Event>()
}
