import Synchronization

/// What the thread of a connection and the reader of its answer know of each other.
final class ConnectionState: Sendable {
    /// What the reader still wants.
    enum Interest {
        case all
        /// The end alone, so that the server sees its answer taken; nobody waits for it.
        case end
        case nothing
    }

    private struct State {
        var events: [ResponseReader.Event] = []
        var bytes = 0
        var end: Result<Void, any Error>?
        var interest = Interest.all
        var reader: CheckedContinuation<ResponseReader.Event?, any Error>?
    }

    let wake: WakePipe
    private let waitingBytes: Int
    private let state = Mutex(State())

    init(waitingBytes: Int) throws(LocalHTTPFailure) {
        self.waitingBytes = waitingBytes
        wake = try WakePipe()
    }

    // The thread's side

    var interest: Interest { state.withLock { $0.interest } }

    var hasRoom: Bool { state.withLock { $0.bytes < waitingBytes } }

    func put(_ event: ResponseReader.Event) {
        let reader = state.withLock { state -> CheckedContinuation<ResponseReader.Event?, any Error>? in
            guard case .all = state.interest else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            state.events.append(event)
            state.bytes += event.size
            return nil
        }
        reader?.resume(returning: event)
    }

    func finish(_ end: Result<Void, any Error>) {
        let reader = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(with: end.map { nil })
    }

    // The reader's side

    /// The next event; `nil` after the last. One reader at a time.
    func next() async throws -> ResponseReader.Event? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = take(for: continuation)
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func take(
        for reader: CheckedContinuation<ResponseReader.Event?, any Error>
    ) -> Result<ResponseReader.Event?, any Error>? {
        let (outcome, wasFull) = state.withLock {
            state -> (Result<ResponseReader.Event?, any Error>?, Bool) in
            guard !state.events.isEmpty else {
                if let end = state.end { return (end.map { nil }, false) }
                precondition(state.reader == nil, "two readers at once")
                state.reader = reader
                return (nil, false)
            }
            let event = state.events.removeFirst()
            let wasFull = state.bytes >= waitingBytes
            state.bytes -= event.size
            return (.success(event), wasFull && state.bytes < waitingBytes)
        }
        if wasFull { wake.ring() }
        return outcome
    }

    /// The connection closes at once, whatever is under way.
    func cancel() {
        let reader = state.withLock { state in
            state.interest = .nothing
            (state.events, state.bytes) = ([], 0)
            if state.end == nil { state.end = .failure(CancellationError()) }
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(throwing: CancellationError())
        wake.ring()
    }

    /// As ``cancel()``, unless ``leave()`` came first.
    func abandon() {
        if case .all = interest { cancel() }
    }

    /// Nobody reads any more, and the connection ends as the server likes, but soon.
    func leave() {
        state.withLock { state in
            guard case .all = state.interest else { return }
            state.interest = .end
            (state.events, state.bytes) = ([], 0)
        }
        wake.ring()
    }
}

extension ResponseReader.Event {
    fileprivate var size: Int {
        if case .body(let bytes) = self { bytes.count } else { 0 }
    }
}
