#if Hub || Pairing
import BreezeCore
import BreezeScheme
import Synchronization

/// Who waits for which answer. What nobody waits for is dropped: foreign ones, and those that came before.
final class AnswerLine: Sendable {
    /// What an answer is known by.
    enum Question: Hashable {
        /// A plain one's id, which is random.
        case plain(String)
        case sealed(MessageNonce)
    }

    private enum Event {
        case opened, late
        case answer(AppSession.Received)
    }

    private let waiting = Mutex<[Question: AsyncStream<AppSession.Received>.Continuation]>([:])
    private let clock: any Clock<Duration>

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    /// Waits from before `opening`, since the answer may be there by the time that it returns.
    /// - Throws: `.timeout`, `CancellationError`, and what `opening` throws.
    func answer(
        to question: Question,
        within limit: Duration,
        opening: @escaping @Sendable () async throws -> Void
    ) async throws -> AppSession.Received {
        let (answers, continuation) = AsyncStream.makeStream(
            of: AppSession.Received.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        waiting.withLock { $0[question] = continuation }
        defer { waiting.withLock { $0[question] = nil } }
        return try await withThrowingTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await DetachableWork(opening).value
                return .opened
            }
            group.addTask { [clock] in
                try await clock.sleep(for: limit)
                return .late
            }
            group.addTask {
                for await answer in answers { return .answer(answer) }
                throw CancellationError()
            }
            while let event = try await group.next() {
                switch event {
                case .opened: continue
                case .late: throw PairingFault.timeout(after: limit)
                case .answer(let answer): return answer
                }
            }
            throw CancellationError()
        }
    }

    func deliver(_ answer: AppSession.Received, to question: Question) {
        waiting.withLock { $0[question] }?.yield(answer)
    }
}
#endif
