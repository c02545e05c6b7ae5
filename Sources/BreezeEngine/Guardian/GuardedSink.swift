import BreezeCore
import Synchronization

/// Stands between a runner and its caller: the pieces of the answer are checked before they leave, in the
/// order they came.
final class GuardedSink: Sendable {
    private struct State {
        /// `nil` while a piece is being checked.
        var answer: GuardedAnswer?
        /// Once set nothing leaves any more.
        var failure: (any Error)?
        /// Cancels the runner.
        var stop: (@Sendable () -> Void)?
    }

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
    /// throws.
    func collect(from runner: any Runner) async throws -> InferenceResult {
        let request = request
        let sink = ChunkSink { [self] chunk in try await pass(chunk) }
        let work = Task { try await runner.stream(request, into: sink) }
        let isOver = state.withLock { state in
            state.stop = { work.cancel() }
            return state.failure != nil
        }
        if isOver { work.cancel() }
        let outcome = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        // Whatever a runner makes of the sink's error, the caller learns of the block.
        if let failure = state.withLock({ $0.failure }) { throw failure }
        try Task.checkCancellation()
        let raw = try outcome.get()
        return try await turn.pass {
            try await change { answer in
                let result = try await answer.conclude(raw)
                return (answer.releasable(), result)
            }
        }
    }

    private func pass(_ chunk: InferenceChunk) async throws {
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
        // Taken out while it changes, so that a step that fails leaves none behind.
        let (taken, failure) = state.withLock { state in
            defer { state.answer = nil }
            return (state.answer, state.failure)
        }
        if let failure { throw failure }
        guard var answer = taken else { throw CancellationError() }
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

/// Lets one at a time through, in the order they came.
private final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// The one who is through ends when the request is cancelled, and so do those who wait for it.
    func pass<Value>(_ body: () async throws -> Value) async throws -> Value {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiters.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
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
}
