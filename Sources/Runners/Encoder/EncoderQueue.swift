import BreezeCore
import BreezeTokenizers
import Dispatch
import Synchronization

/// The texts that wait for a worker. Requests take turns, so that a short one does not wait for a long one's
/// end; within a request the longest text comes first, so that no worker is left with it at the end.
final class EncoderQueue: Sendable {
    /// Texts of one request.
    struct Lane: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct State {
        /// In the order of their turns; none is empty.
        var lanes: [(lane: Lane, jobs: [EncoderTicket])] = []
        var backlog = Backlog()
        var nextLane: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Counts what was put in and not yet looked for; a worker sleeps in it, and uses no time.
    private let arrivals = DispatchSemaphore(value: 0)

    /// What waits, in tokens and texts.
    struct Backlog: Sendable {
        var tokens = 0
        var texts = 0
    }

    func makeLane() -> Lane {
        state.withLock { state in
            state.nextLane += 1
            return Lane(number: state.nextLane)
        }
    }

    /// - Returns: what waits now, `nil` once the queue is closed.
    func put(_ ticket: EncoderTicket, in lane: Lane) -> Backlog? {
        let backlog: Backlog? = state.withLock { state in
            guard !state.isClosed else { return nil }
            if let index = state.lanes.firstIndex(where: { $0.lane == lane }) {
                state.lanes[index].jobs.append(ticket)
            } else {
                state.lanes.append((lane, [ticket]))
            }
            state.backlog.texts += 1
            state.backlog.tokens += ticket.text.ids.count
            return state.backlog
        }
        if backlog != nil { arrivals.signal() }
        return backlog
    }

    /// The next text to work on; sleeps until there is one. `nil` once the queue is closed and empty.
    func next() -> EncoderTicket? {
        while true {
            arrivals.wait()
            var isOver = false
            let ticket: EncoderTicket? = state.withLock { state in
                guard !state.lanes.isEmpty else {
                    isOver = state.isClosed
                    return nil
                }
                var (lane, jobs) = state.lanes.removeFirst()
                let longest = jobs.indices.max { jobs[$0].text.ids.count < jobs[$1].text.ids.count } ?? 0
                let ticket = jobs.remove(at: longest)
                if !jobs.isEmpty { state.lanes.append((lane, jobs)) }
                state.backlog.texts -= 1
                state.backlog.tokens -= ticket.text.ids.count
                return ticket
            }
            if let ticket { return ticket }
            if isOver {
                // For the next sleeper.
                arrivals.signal()
                return nil
            }
        }
    }

    /// Lets the workers go once nothing waits.
    func close() {
        state.withLock { $0.isClosed = true }
        arrivals.signal()
    }
}

/// A text that waits for its vector. Whoever claims the continuation resumes it: the worker, or a cancellation.
final class EncoderTicket: Sendable {
    typealias Continuation = CheckedContinuation<[Float], any Error>

    let text: TokenizedText
    private let continuation: Mutex<Continuation?>

    init(_ text: TokenizedText, _ continuation: Continuation) {
        self.text = text
        self.continuation = Mutex(continuation)
    }

    var isWaiting: Bool { continuation.withLock { $0 != nil } }

    func resolve(_ result: Result<[Float], any Error>) {
        continuation.withLock { $0.take() }?.resume(with: result)
    }
}
