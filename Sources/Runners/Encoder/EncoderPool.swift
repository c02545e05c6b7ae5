import BreezeCore
import BreezeTokenizers
import Foundation
import Synchronization

/// Threads that each own a session, at most one a core: two sessions with one thread do more than one with
/// two. The first opens when the model loads, the others when there is work for them. When the last reference
/// goes, they finish what waits and end.
final class EncoderPool: Sendable {
    let backend: EncoderBackend
    private let limit: Int
    private let queue = EncoderQueue()
    private let state = Mutex(State())

    private struct State {
        var workers = 0
        var fault: (any Error)?
    }

    /// Opening one more session costs about as much as this many tokens, or texts; for less the present
    /// workers are done sooner.
    private static let worthAnother = EncoderQueue.Backlog(tokens: 512, texts: 16)

    /// `check` is called on the first worker's thread with its new session.
    /// - Throws: what opening that session or `check` throws.
    init(
        _ backend: EncoderBackend,
        workers: Int,
        check: @escaping @Sendable (any EncoderSession) throws -> Void
    ) async throws {
        self.backend = backend
        limit = max(1, workers)
        state.withLock { $0.workers = 1 }
        try await withCheckedThrowingContinuation { continuation in
            Self.start(backend, queue, number: 1, check: check) { continuation.resume(with: $0) }
        }
    }

    deinit { queue.close() }

    /// Texts that a request may have waiting at once: enough that the longest of them is worth choosing.
    var window: Int { max(64, 16 * limit) }

    /// Why there are fewer workers than there could be; `nil` where none failed.
    var fault: (any Error)? { state.withLock { $0.fault } }

    func makeLane() -> EncoderQueue.Lane { queue.makeLane() }

    /// The vector of one text. A cancelled caller is let go at once; a text that a worker has begun costs that
    /// worker its rest.
    func encode(_ text: TokenizedText, in lane: EncoderQueue.Lane) async throws -> [Float] {
        let parked = Mutex<EncoderTicket?>(nil)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ticket = EncoderTicket(text, continuation)
                parked.withLock { $0 = ticket }
                if let backlog = queue.put(ticket, in: lane) { grow(backlog) }
                // A cancellation that came before the ticket was parked found nothing to end.
                if Task.isCancelled { ticket.resolve(.failure(Self.cancelled)) }
            }
        } onCancel: {
            parked.withLock { $0 }?.resolve(.failure(Self.cancelled))
        }
    }

    private static var cancelled: BreezeError { BreezeError(.cancelled, "The run was cancelled.") }

    private func grow(_ backlog: EncoderQueue.Backlog) {
        let isWorthIt =
            backlog.tokens >= Self.worthAnother.tokens || backlog.texts >= Self.worthAnother.texts
        guard isWorthIt else { return }
        let number: Int? = state.withLock { state in
            guard state.workers < limit, state.fault == nil else { return nil }
            state.workers += 1
            return state.workers
        }
        guard let number else { return }
        Self.start(backend, queue, number: number, check: { _ in }) { [weak self] result in
            guard case .failure(let error) = result else { return }
            self?.state.withLock {
                $0.workers -= 1
                $0.fault = error
            }
        }
    }

    private static func start(
        _ backend: EncoderBackend,
        _ queue: EncoderQueue,
        number: Int,
        check: @escaping @Sendable (any EncoderSession) throws -> Void,
        opened: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        let thread = Thread {
            let session: any EncoderSession
            do {
                session = try backend.makeSession()
                try check(session)
            } catch {
                return opened(.failure(error))
            }
            opened(.success(()))
            while let ticket = queue.next() {
                guard ticket.isWaiting else { continue }
                ticket.resolve(Result { try session.run(ticket.text) })
            }
        }
        thread.name = "breeze-encoder-\(number)"
        thread.stackSize = 4 << 20
        thread.start()
    }
}
