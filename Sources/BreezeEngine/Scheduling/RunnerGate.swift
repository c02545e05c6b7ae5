import BreezeCore
import Synchronization

/// Lets as many runs of one runner overlap as it declares; whose turn it is among the others, an
/// ``AdmissionQueue`` decides.
final class RunnerGate: Sendable {
    typealias Ticket = AdmissionQueue.Ticket
    /// Hears the turn that will be the request's own, from 1, and which it was at first.
    typealias PositionReport = @Sendable (_ position: Int, _ first: Int) async throws -> Void

    private enum News {
        case admitted
        case moved(Int)
        case refused(BreezeError)
    }

    /// The newest news where nobody listens just now.
    private enum Waiter {
        case away(News?)
        case listening(CheckedContinuation<News, any Error>)
    }

    private struct State {
        var queue: AdmissionQueue
        var service = ServiceTime()
        var waiters: [Ticket: Waiter] = [:]
        /// What looks after the runs whose caller has gone.
        var timers: [Ticket: Task<Void, Never>] = [:]
    }

    private typealias Wakening = (CheckedContinuation<News, any Error>, News)

    let runner: String
    private let width: Int
    private let state: Mutex<State>

    init(runner: String, width: Int) {
        let queue = AdmissionQueue(width: width)
        self.runner = runner
        self.width = queue.width
        state = Mutex(State(queue: queue))
    }

    var counts: AdmissionQueue.Counts { state.withLock { $0.queue.counts } }

    /// Entries that are held beside the queue's own: none where nothing runs or waits.
    var remains: Int { state.withLock { $0.waiters.count + $0.timers.count } }
}

// MARK: - Entering

extension RunnerGate {
    /// Returns with a place, which ``leave(_:after:isWhole:)`` gives back. `onWait` hears the position where
    /// there is none yet, and again whenever it is half of what it was; while it is heard, a turn that comes is
    /// kept.
    /// - Throws: ``BreezeError/Code/busy`` where too many wait already, or runs that do not end hold all places.
    func enter(
        priority: RequestPriority = .normal,
        client: String? = nil,
        limits: AdmissionQueue.Limits = AdmissionQueue.Limits(),
        onWait: PositionReport? = nil
    ) async throws -> Ticket {
        try Task.checkCancellation()
        let (ticket, position) = try state.withLock { state -> (Ticket, Int?) in
            let admission = state.queue.join(
                priority: priority,
                client: client,
                limits: limits,
                isWatched: onWait != nil
            )
            switch admission {
            case .admitted(let ticket): return (ticket, nil)
            case .waits(let ticket, let position):
                state.waiters[ticket] = .away(nil)
                return (ticket, position)
            case .refused(let refusal): throw busy(refusal, limits, state.service)
            }
        }
        guard let position else { return ticket }
        Telemetry.request?.note(.queued(position: onWait == nil ? nil : position), runner: runner)
        do {
            try await wait(with: ticket, at: position, onWait)
            return ticket
        } catch {
            leave(ticket)
            throw error
        }
    }

    private func wait(
        with ticket: Ticket,
        at first: Int,
        _ onWait: PositionReport?
    ) async throws {
        try await onWait?(first, first)
        while true {
            switch try await news(for: ticket) {
            case .admitted: return
            case .moved(let position): try await onWait?(position, first)
            case .refused(let error): throw error
            }
        }
    }

    private func news(for ticket: Ticket) async throws -> News {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<News, any Error>? = state.withLock { state in
                    switch state.waiters[ticket] {
                    case .away(let news?):
                        if case .moved = news {
                            state.waiters[ticket] = .away(nil)
                        } else {
                            state.waiters[ticket] = nil
                        }
                        return .success(news)
                    case .away where !Task.isCancelled:
                        state.waiters[ticket] = .listening(continuation)
                        return nil
                    default: return .failure(CancellationError())
                    }
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            withdraw(ticket)
        }
    }

    /// Frees the place in the queue at once, before the waiting task has run.
    private func withdraw(_ ticket: Ticket) {
        let (waiter, wakenings) = state.withLock { state -> (Waiter?, [Wakening]) in
            // Its turn had come: the task finds out itself that it is cancelled, and leaves.
            guard state.queue.isWaiting(ticket) else { return (nil, []) }
            let waiter = state.waiters.removeValue(forKey: ticket)
            return (waiter, apply(state.queue.leave(ticket), to: &state))
        }
        if case .listening(let continuation) = waiter { continuation.resume(throwing: CancellationError()) }
        for (continuation, news) in wakenings { continuation.resume(returning: news) }
    }

    private func apply(_ changes: AdmissionQueue.Changes, to state: inout State) -> [Wakening] {
        var wakenings: [Wakening] = []
        func tell(_ ticket: Ticket, _ news: News, isLast: Bool = true) {
            switch state.waiters[ticket] {
            case .listening(let continuation):
                state.waiters[ticket] = isLast ? nil : .away(nil)
                wakenings.append((continuation, news))
            case .away: state.waiters[ticket] = .away(news)
            case nil: break
            }
        }
        for ticket in changes.admitted { tell(ticket, .admitted) }
        for (ticket, position) in changes.moved { tell(ticket, .moved(position), isLast: false) }
        let refusal = AdmissionQueue.Refusal(reason: .stuck, ahead: 0)
        for ticket in changes.refused {
            tell(ticket, .refused(busy(refusal, AdmissionQueue.Limits(), state.service)))
        }
        return wakenings
    }
}

// MARK: - Leaving

extension RunnerGate {
    /// Gives the place back. `held` is how long the run took; `isWhole` where it came to its end.
    func leave(_ ticket: Ticket, after held: Duration? = nil, isWhole: Bool = false) {
        let (timer, wakenings) = state.withLock { state -> (Task<Void, Never>?, [Wakening]) in
            if let held, !state.queue.isStuck(ticket) { state.service.note(held, isWhole: isWhole) }
            state.waiters[ticket] = nil
            let timer = state.timers.removeValue(forKey: ticket)
            return (timer, apply(state.queue.leave(ticket), to: &state))
        }
        timer?.cancel()
        for (continuation, news) in wakenings { continuation.resume(returning: news) }
    }

    /// The caller of a run has gone. If the run does not end within ``grace`` it counts as stuck, and `whenStuck`
    /// is called, once.
    func callerLeft(_ ticket: Ticket, clock: EngineClock, whenStuck: @escaping @Sendable () -> Void) {
        state.withLock { state in
            guard state.queue.isRunning(ticket), state.timers[ticket] == nil else { return }
            state.timers[ticket] = Task {
                guard (try? await clock.sleep(Self.grace)) != nil else { return }
                if self.becomeStuck(ticket) { whenStuck() }
            }
        }
    }

    /// What a runner has to notice a cancellation.
    static let grace: Duration = .seconds(5)

    private func becomeStuck(_ ticket: Ticket) -> Bool {
        let (isStuck, wakenings) = state.withLock { state -> (Bool, [Wakening]) in
            state.timers[ticket] = nil
            let wakenings = apply(state.queue.becomeStuck(ticket), to: &state)
            return (state.queue.isStuck(ticket), wakenings)
        }
        for (continuation, news) in wakenings { continuation.resume(returning: news) }
        return isStuck
    }
}

// MARK: - Refusing

extension RunnerGate {
    private func busy(
        _ refusal: AdmissionQueue.Refusal,
        _ limits: AdmissionQueue.Limits,
        _ service: ServiceTime
    ) -> BreezeError {
        let wait = service.wait(ahead: refusal.ahead, width: width)
        switch refusal.reason {
        case .queueFull:
            return busy(
                "\(limits.queue) requests wait for \(runner) already, as many as may.",
                "scheduling.queueLimit lets more wait.",
                wait
            )
        case .clientFull:
            return busy(
                "\(limits.client) requests of this client wait for \(runner) already, as many as may.",
                "scheduling.clientLimit lets more wait.",
                wait
            )
        case .stuck:
            return busy(
                "Cancelled runs that do not end hold \(width == 1 ? "the one place" : "all \(width) places") of \(runner).",
                "Restart the program if this lasts.",
                max(wait, Self.grace)
            )
        }
    }

    private func busy(_ message: String, _ remedy: String, _ wait: Duration) -> BreezeError {
        let seconds = "\(wait.components.seconds) s"
        return BreezeError(
            .busy,
            "\(message) Try again in \(seconds).",
            remedy: remedy,
            retryAfter: wait
        )
    }
}
