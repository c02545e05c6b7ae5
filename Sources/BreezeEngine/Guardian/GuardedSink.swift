import BreezeCore
import Synchronization

/// Stands between a runner and its caller: the pieces of the answer are checked before they leave, in the
/// order they came.
final class GuardedSink: Sendable {
    fileprivate struct State {
        /// `nil` while a piece is being checked.
        var answer: GuardedAnswer?
        /// Once set nothing leaves any more.
        var failure: (any Error)?
        /// Cancels the runner.
        var stop: (@Sendable () -> Void)?
        /// What came and was not looked at yet, where nobody waits for it.
        var unread: InferenceChunk?
    }

    /// Bytes of an answer that nobody watches which are checked at once: a block ends the runner within these.
    private static let patience = 4_096

    private let request: InferenceRequest
    private let target: ChunkSink
    private let turn = Turnstile()
    private let state: Mutex<State>

    init(_ request: InferenceRequest, rule: GuardianRule, checker: GuardianChecker, target: ChunkSink) throws
    {
        self.request = request
        self.target = target
        state = Mutex(State(answer: try GuardedAnswer(to: request, rule: rule, checker: checker)))
    }

    /// Has `runner` answer. Where something is blocked, the runner is cancelled, and has ended when this
    /// throws. `hear` is called for each piece as it comes.
    func collect(
        from runner: any Runner,
        hear: @escaping @Sendable () -> Void
    ) async throws -> InferenceResult {
        let raw = try await rawAnswer(of: runner, hear)
        if let rest = state.withLock({ $0.unread.take() }) { try await check(rest) }
        return try await turn.pass {
            try await change { answer in
                let result = try await answer.conclude(raw)
                return (answer.releasable(), result)
            }
        }
    }

    private func rawAnswer(
        of runner: any Runner,
        _ hear: @escaping @Sendable () -> Void
    ) async throws -> InferenceResult {
        let sink = ChunkSink { [self] chunk in
            if chunk.isAnswer { hear() }
            try await pass(chunk)
        }
        do {
            let result = try await cancellable { [request] in try await runner.stream(request, into: sink) }
            try Task.checkCancellation()
            if let failure { throw failure }
            return result
        } catch {
            // Whatever a runner makes of the sink's error, the caller learns of the block.
            throw failure ?? (Task.isCancelled ? CancellationError() : error)
        }
    }

    private var failure: (any Error)? { state.withLock { $0.failure } }

    /// A task of its own: a runner that hears nothing of the sink's error is stopped by being cancelled.
    // Not within its caller, whose frame each answer keeps while it grows.
    @inline(never)
    private func cancellable(
        _ run: @escaping @Sendable () async throws -> InferenceResult
    ) async throws -> InferenceResult {
        let work = Task { try await run() }
        let isOver = state.withLock { state in
            state.stop = { work.cancel() }
            return state.failure != nil
        }
        if isOver { work.cancel() }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private func pass(_ chunk: InferenceChunk) async throws {
        guard !target.isRead else { return try await check(chunk) }
        if let ripe = try state.withLock({ try $0.keep(chunk, upTo: Self.patience) }) {
            try await check(ripe)
        }
    }

    private func check(_ chunk: InferenceChunk) async throws {
        try await turn.pass {
            try await change { answer in
                try await answer.accept(chunk)
                return (answer.releasable(), ())
            }
        }
    }

    /// Changes the answer and sends what came free. To be called in turn.
    private func change<Value>(
        _ step: (inout GuardedAnswer) async throws -> ([InferenceChunk.Content], Value)
    ) async throws -> Value {
        // Taken out while it changes, so that a step that fails leaves none behind, and nothing of it is copied.
        var answer = try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let answer = state.answer.take() else { throw CancellationError() }
            return answer
        }
        do {
            let (free, value) = try await step(&answer)
            state.withLock { $0.answer = answer }
            for content in free {
                try await target.send(InferenceChunk(requestID: request.id, content))
            }
            return value
        } catch {
            let stop = state.withLock { state in
                state.failure = state.failure ?? error
                return state.stop
            }
            stop?()
            throw error
        }
    }
}

extension GuardedSink.State {
    /// Puts a piece behind those of its kind that wait.
    /// - Returns: What is to be checked now.
    fileprivate mutating func keep(_ chunk: InferenceChunk, upTo size: Int) throws -> InferenceChunk? {
        if let failure { throw failure }
        let before = unread.take()
        switch (before?.content, chunk.content) {
        case (.text(let first), .text(let second)) where first.utf8.count + second.utf8.count < size:
            unread = InferenceChunk(requestID: chunk.requestID, .text(first + second))
        case (.reasoning(let first), .reasoning(let second)) where first.utf8.count + second.utf8.count < size:
            unread = InferenceChunk(requestID: chunk.requestID, .reasoning(first + second))
        default:
            unread = chunk
            return before
        }
        return nil
    }
}

/// Lets one at a time through, in the order they came.
private final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The one who is through ends when the request is cancelled, and so do those who wait for it.
    func pass<Value>(_ body: () async throws -> Value) async throws -> Value {
        if !take() {
            await withCheckedContinuation { continuation in
                if take(orWait: continuation) { continuation.resume() }
            }
        }
        defer {
            let next: CheckedContinuation<Void, Never>? = state.withLock { state in
                guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
                state.isTaken = false
                return nil
            }
            next?.resume()
        }
        return try await body()
    }

    /// - Returns: Whether it was free; `waiter` is called when it is.
    private func take(orWait waiter: CheckedContinuation<Void, Never>? = nil) -> Bool {
        state.withLock { state in
            if state.isTaken {
                if let waiter { state.waiters.append(waiter) }
                return false
            }
            state.isTaken = true
            return true
        }
    }
}
