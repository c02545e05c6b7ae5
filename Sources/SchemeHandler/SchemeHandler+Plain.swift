#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeStore
import Foundation

extension SchemeHandler {
    /// A question that anybody may have sent: nothing runs before the owner's yes to this very one.
    func handle(_ plain: PlainRequest) async -> SchemeOutcome {
        let id = plain.request.id
        let consent: OwnerAnswer
        do {
            consent = try await self.consent(to: plain)
        } catch {
            return await refused(.failed(Self.told(error), to: id), plain.callback)
        }
        var request = plain.request
        // The parser refused all of this already; what the owner said yes to must not hang on that alone.
        request.privacy = .onDevice
        request.configuration.tools = nil
        request.configuration.toolChoice = nil
        request.client = "scheme:unverified"
        var answer = await answer(to: request)
        if consent == .allowAndPair { answer.pair = true }
        return await open(answer, plain.callback)
    }

    private func refused(_ answer: SchemeAnswer, _ callback: CallbackScheme) async -> SchemeOutcome {
        do { return try await tell(answer, to: callback) } catch {
            return SchemeOutcome(.nothing, error: Self.told(error))
        }
    }

    /// - Throws: ``BreezeError`` where there is no yes.
    private func consent(to plain: PlainRequest) async throws -> OwnerAnswer {
        let id = InferenceRequest.newID()
        let start = now
        try await store.perform { try $0.enterLine(id, from: plain.callback, at: self.now) }
        try await turn(of: id)
        // Line and question together have one patience.
        let left = start + QuestionLine.patience - now
        let answer = await answer(to: .run(RunQuestion(plain)), within: left)
        let isYes = answer == .allowOnce || answer == .allowAndPair
        // Where its time is over meanwhile, a yes comes too late.
        let stood = try await store.perform {
            try $0.leaveLine(id, isYes ? .allowed : .refused, at: self.now)
        }
        try Task.checkCancellation()
        guard stood, isYes else { throw QuestionLine.notAllowed }
        return answer
    }

    /// Waits until the question is to be shown.
    private func turn(of id: String) async throws {
        while true {
            switch try await store.perform({ try $0.standing(of: id, at: self.now) }) {
            case .asks: return
            case .ended: throw QuestionLine.notAllowed
            case .waits: try await clock.sleep(for: Self.interval)
            }
        }
    }

    /// ``OwnerAnswer/refuse`` where none comes within that many milliseconds.
    func answer(to question: OwnerQuestion, within milliseconds: Int64) async -> OwnerAnswer {
        await withTaskGroup(of: OwnerAnswer.self) { group in
            defer { group.cancelAll() }
            group.addTask { await self.questions.answer(to: question) }
            group.addTask {
                try? await self.clock.sleep(for: .milliseconds(max(0, milliseconds)))
                return .refuse
            }
            return await group.next() ?? .refuse
        }
    }

    // MARK: - Running

    /// Runs it under an id of our own, since callers choose theirs as they like; the answer has the caller's.
    func answer(
        to request: InferenceRequest,
        unless isCancelled: (@Sendable () async -> Bool)? = nil
    ) async -> SchemeAnswer {
        let id = request.id
        var own = request
        own.id = InferenceRequest.newID()
        do {
            var result = try await result(of: own, unless: isCancelled)
            result.requestID = id
            return .done(result, to: id)
        } catch {
            return .failed(Task.isCancelled ? HandlerFault.expired : Self.told(error), to: id)
        }
    }

    private func result(
        of request: InferenceRequest,
        unless isCancelled: (@Sendable () async -> Bool)?
    ) async throws -> InferenceResult {
        let service = try await service()
        guard let isCancelled else { return try await service.run(request) }
        return try await withThrowingTaskGroup(of: InferenceResult?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await service.run(request) }
            group.addTask {
                while true {
                    try await self.clock.sleep(for: Self.interval)
                    if await isCancelled() { return nil }
                }
            }
            guard let result = try await group.next() ?? nil else { throw HandlerFault.cancelled }
            return result
        }
    }
}
#endif
