import Synchronization

/// What came for one reader, in order. It has no bound of its own: those who send keep to the credit they were given.
final class Inbox<Element: Sendable>: Sendable {
    private struct State {
        var waiting: [Element] = []
        var reader: CheckedContinuation<Element, Never>?
    }

    private let state = Mutex(State())

    func push(_ element: Element) {
        let reader = state.withLock { state in
            guard let reader = state.reader else {
                state.waiting.append(element)
                return CheckedContinuation<Element, Never>?.none
            }
            state.reader = nil
            return reader
        }
        reader?.resume(returning: element)
    }

    /// Does not heed cancellation: whoever pushes always sends a last element.
    func next() async -> Element {
        await withCheckedContinuation { continuation in
            let element = state.withLock { state -> Element? in
                if !state.waiting.isEmpty { return state.waiting.removeFirst() }
                precondition(state.reader == nil, "two readers at once")
                state.reader = continuation
                return nil
            }
            if let element { continuation.resume(returning: element) }
        }
    }
}
