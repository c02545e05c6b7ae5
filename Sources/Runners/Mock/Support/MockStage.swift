import BreezeCore
import Synchronization

/// What all mocks have in common: they check the request, wait, fail on demand, and send their pieces one by
/// one.
final class MockStage: Sendable {
    private let clock: any Clock<Duration>
    /// Requests so far: the seed of one that brings none, so that an error rate hits some of them and not
    /// all.
    private let asked = Mutex(0)

    init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    /// Everything that comes before the first piece of an answer.
    func begin(_ request: InferenceRequest, for runner: any Runner) async throws -> MockTurn {
        guard runner.canRun(request: request) else {
            throw BreezeError(
                .unsupported,
                "\(runner.id) does not answer \(request.capability) requests.",
                remedy: "See what each runner can do: breeze runners"
            )
        }
        try request.validate()
        try refuseUnanswerable(request, by: runner)
        let values = try MockValues(request.configuration, schema: runner.parameterSchema, runner: runner.id)
        let number = asked.withLock { asked in
            defer { asked += 1 }
            return asked
        }
        var random = SeededGenerator(seed: values.integer("seed") ?? number)
        try await pause(milliseconds: values.integer(MockParameter.responseDelay.name))
        // The draw is made in any case, so that turning errors on does not change the answers that come
        // through.
        let draw = random.unit()
        if values.boolean(MockParameter.simulateErrors.name),
            draw < values.number(MockParameter.errorRate.name) ?? 0
        {
            throw BreezeError(
                .runFailed,
                "\(runner.id) failed, as simulateErrors asked it to.",
                remedy: "Set simulateErrors to false, or errorRate to 0."
            )
        }
        return MockTurn(request: request, values: values, random: random)
    }

    private func refuseUnanswerable(_ request: InferenceRequest, by runner: any Runner) throws {
        let configuration = request.configuration
        if configuration.guidedOutput != nil, ![.chat, .vlm].contains(request.capability) {
            throw BreezeError(
                .unsupported,
                "\(runner.id) has no guidedOutput: a schema does not shape \(request.capability) answers.",
                remedy: "Leave guidedOutput out."
            )
        }
        if let choice = configuration.toolChoice, ![.auto, .none].contains(choice),
            request.capability != .chat
        {
            throw BreezeError(
                .unsupported,
                "\(runner.id) calls no tools, and the tool choice demands a call.",
                remedy: "Leave the tool choice out, or ask a chat runner."
            )
        }
    }

    /// Waits; also the place where a cancelled request ends that waits for nothing.
    private func pause(milliseconds: Int?) async throws {
        try Task.checkCancellation()
        if let milliseconds, milliseconds > 0 { try await clock.sleep(for: .milliseconds(milliseconds)) }
    }

    /// Sends one chunk a piece, or the pieces joined as one, as the `delivery` parameter says.
    func send<Piece>(
        _ pieces: some Sequence<Piece>,
        of turn: MockTurn,
        into sink: ChunkSink,
        joined: ([Piece]) -> InferenceChunk.Content
    ) async throws {
        let id = turn.request.id
        if turn.values.string(MockParameter.delivery.name) == MockParameter.whole {
            try await sink.send(InferenceChunk(requestID: id, joined(Array(pieces))))
            return
        }
        let delay = Duration.milliseconds(turn.values.integer(MockParameter.chunkDelay.name) ?? 0)
        let wait = Self.pace(delay, clock)
        var number = 0
        for piece in pieces {
            try Task.checkCancellation()
            if number > 0, delay > .zero { try await wait(number) }
            number += 1
            try await sink.send(InferenceChunk(requestID: id, joined([piece])))
        }
    }

    /// Waits until as many delays are over. By the clock: a pause that took too long makes the next one shorter.
    private static func pace<C: Clock<Duration>>(
        _ delay: Duration,
        _ clock: C
    ) -> @Sendable (Int) async throws -> Void {
        let begun = clock.now
        return { try await clock.sleep(until: begun.advanced(by: delay * $0), tolerance: nil) }
    }
}

/// One request that passed ``MockStage/begin(_:for:)``, with the parameters in force.
struct MockTurn {
    let request: InferenceRequest
    let values: MockValues
    var random: SeededGenerator
}
