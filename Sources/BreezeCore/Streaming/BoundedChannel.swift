import Synchronization

/// A queue of a fixed size between senders and one receiver: a full one holds the senders back, in the order
/// they came, an empty one the receiver. Either side may end it.
package final class BoundedChannel<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        /// Held back, each with its own element in ``waiting`` already.
        var senders: [(id: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var nextID = 0
        var receiver: CheckedContinuation<Element?, any Error>?
        /// Set once: how the sender ended it.
        var end: Result<Void, any Error>?
        var isAbandoned = false
    }

    private let capacity: Int
    private let state = Mutex(State())

    package init(capacity: Int) {
        precondition(capacity > 0, "a channel without room would never pass anything on")
        self.capacity = capacity
    }

    /// Waits until the element has a place.
    /// - Throws: `CancellationError` when the receiver has gone or the sending task is cancelled.
    package func send(_ element: Element) async throws {
        // Where nobody has to wait, nothing is made to wait with.
        switch offer(element, from: nil) {
        case .taken(let receiver): return receiver?.resume(returning: element) ?? ()
        case .refused: throw CancellationError()
        case .held: break
        }
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                switch offer(element, from: (id, continuation)) {
                case .taken(let receiver):
                    receiver?.resume(returning: element)
                    continuation.resume()
                case .refused: continuation.resume(throwing: CancellationError())
                case .held: break
                }
            }
        } onCancel: {
            // The receiver learns of it from `finish`, so that it never takes a cancelled answer for a whole
            // one.
            let sender = state.withLock { state in
                state.senders.firstIndex { $0.id == id }.map { state.senders.remove(at: $0).continuation }
            }
            sender?.resume(throwing: CancellationError())
        }
    }

    private enum Offer {
        /// By the receiver, where one waited.
        case taken(CheckedContinuation<Element?, any Error>?)
        /// There is no room; the element is in the queue where its sender is.
        case held
        case refused
    }

    /// Without a sender to hold back, an element that has no room is not taken.
    private func offer(
        _ element: Element,
        from sender: (id: Int, continuation: CheckedContinuation<Void, any Error>)?
    ) -> Offer {
        state.withLock { state in
            if state.isAbandoned || state.end != nil || Task.isCancelled { return .refused }
            if let receiver = state.receiver.take() { return .taken(receiver) }
            let hasRoom = state.waiting.count + 1 < capacity
            guard hasRoom || sender != nil else { return .held }
            state.waiting.append(element)
            if hasRoom { return .taken(nil) }
            if let sender { state.senders.append(sender) }
            return .held
        }
    }

    /// The next element; `nil` after the last.
    package func receive() async throws -> Element? {
        if let element = receiveAtOnce() { return element }
        return try await withCheckedThrowingContinuation { continuation in
            let (outcome, sender) = take(for: continuation)
            sender?.resume()
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    /// What waits already; `nil` where nothing does.
    package func receiveAtOnce() -> Element? {
        let (element, sender) = state.withLock { state in
            state.waiting.isEmpty ? (nil, nil) : Self.takeFirst(&state)
        }
        sender?.resume()
        return element
    }

    private static func takeFirst(
        _ state: inout State
    ) -> (Element?, CheckedContinuation<Void, any Error>?) {
        let element = state.waiting.removeFirst()
        return (element, state.senders.isEmpty ? nil : state.senders.removeFirst().continuation)
    }

    private func take(
        for receiver: CheckedContinuation<Element?, any Error>
    ) -> (outcome: Result<Element?, any Error>?, sender: CheckedContinuation<Void, any Error>?) {
        state.withLock { state in
            if !state.waiting.isEmpty {
                let (element, sender) = Self.takeFirst(&state)
                return (.success(element), sender)
            }
            if let end = state.end { return (end.map { nil }, nil) }
            if state.isAbandoned { return (.success(nil), nil) }
            precondition(state.receiver == nil, "two receivers at once")
            state.receiver = receiver
            return (nil, nil)
        }
    }

    /// No more will be sent. What waits is still delivered, and `error` thrown after it.
    package func finish(throwing error: (any Error)? = nil) {
        let end: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let receiver = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { state.receiver = nil }
            return state.receiver
        }
        receiver?.resume(with: end.map { nil })
    }

    /// Nobody will receive any more: what waits is dropped, and the sender is told.
    package func abandon() {
        let (senders, receiver) = state.withLock { state in
            state.isAbandoned = true
            state.waiting.removeAll()
            defer { (state.senders, state.receiver) = ([], nil) }
            return (state.senders, state.receiver)
        }
        for sender in senders { sender.continuation.resume(throwing: CancellationError()) }
        receiver?.resume(returning: nil)
    }
}
