#if Hub
import Synchronization

/// The bytes of one request and of its answer, for the audit log.
final class Tally: Sendable {
    private struct State {
        var bytesIn = 0
        var bytesOut: Int?
        var isStreamed = false
        var waiting: [@Sendable (_ bytesIn: Int, _ bytesOut: Int) -> Void] = []
    }

    private let state = Mutex(State())

    func cameIn(_ bytes: Int) { state.withLock { $0.bytesIn = bytes } }

    /// Calls `body` when the answer is written.
    func whenAnswered(_ body: @escaping @Sendable (_ bytesIn: Int, _ bytesOut: Int) -> Void) {
        let known = state.withLock { state -> (Int, Int)? in
            if let out = state.bytesOut { return (state.bytesIn, out) }
            state.waiting.append(body)
            return nil
        }
        if let known { body(known.0, known.1) }
    }

    /// Its length is known only when it has ended.
    func isStreamed() { state.withLock { $0.isStreamed = true } }

    /// The answer is as long as this, unless it is still being written.
    func answered(_ bytes: Int) {
        if state.withLock({ !$0.isStreamed }) { streamed(bytes) }
    }

    func streamed(_ bytes: Int) {
        let (bytesIn, waiting) = state.withLock { state in
            state.bytesOut = bytes
            defer { state.waiting = [] }
            return (state.bytesIn, state.waiting)
        }
        for body in waiting { body(bytesIn, bytes) }
    }
}
#endif
