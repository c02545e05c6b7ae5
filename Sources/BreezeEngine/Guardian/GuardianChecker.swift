import BreezeCore
import Synchronization

/// One guardian with the configuration that it checks with. Whatever goes wrong with it is a
/// ``BreezeError/Code/guardianBlocked``; only a cancelled caller gets its `CancellationError`.
final class GuardianChecker: Sendable {
    /// Given to a guardian that is not loaded yet, apart from what a check may take.
    static let loadLimit = Duration.seconds(60)

    let slot: RunnerSlot
    let configuration: InferenceConfig
    let timeout: Duration
    /// How long it stays loaded after a check; `nil` is for ever.
    let keepAlive: Duration?
    let clock: EngineClock
    /// A check takes the place in the queue that its request has, and travels no farther.
    let priority: RequestPriority
    let client: String?
    let privacy: PrivacyScope
    let requestID: String
    /// Throws where the guardian is one of the network and may not be asked.
    let checkPrivacy: @Sendable () throws -> Void

    init(
        slot: RunnerSlot,
        configuration: InferenceConfig,
        timeout: Duration,
        keepAlive: Duration?,
        clock: EngineClock,
        priority: RequestPriority,
        client: String?,
        privacy: PrivacyScope,
        requestID: String,
        checkPrivacy: @escaping @Sendable () throws -> Void
    ) {
        self.slot = slot
        self.configuration = configuration
        self.timeout = timeout
        self.keepAlive = keepAlive
        self.clock = clock
        self.priority = priority
        self.client = client
        self.privacy = privacy
        self.requestID = requestID
        self.checkPrivacy = checkPrivacy
    }

    var id: String { slot.runner.id }

    /// A copy that looks for one category alone, as far as the guardian lets itself be told.
    func lookingFor(_ category: String) -> GuardianChecker {
        guard slot.runner.parameterSchema["categories"] != nil else { return self }
        var configuration = configuration
        configuration[parameter: "categories"] = [.string(category)]
        return GuardianChecker(
            slot: slot,
            configuration: configuration,
            timeout: timeout,
            keepAlive: keepAlive,
            clock: clock,
            priority: priority,
            client: client,
            privacy: privacy,
            requestID: requestID,
            checkPrivacy: checkPrivacy
        )
    }

    /// Runs `body` while a guardian that reads pieces stays loaded. One that judges whole texts is loaded for
    /// each of them.
    func holding<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard slot.runner is any StreamingGuardian else { return try await body() }
        try await acquire()
        do {
            let value = try await body()
            slot.release()
            return value
        } catch {
            slot.release()
            throw error
        }
    }

    /// To be called while it is held: ``holding(_:)``. A text that comes as one piece is looked at once.
    func inspector(ofWholeText isWhole: Bool = false) throws -> any TextInspector {
        guard let guardian = slot.runner as? any StreamingGuardian else {
            let holdBack = isWhole ? Int.max : WindowInspector.Size.holdBack
            return WindowInspector(holdBack: holdBack) { try await self.verdict(on: $0) }
        }
        do {
            try checkPrivacy()
            return ScannerInspector(try guardian.makeScanner(configuration: configuration))
        } catch {
            throw failure(error)
        }
    }

    private func verdict(on text: String) async throws -> GuardianVerdict {
        var request = InferenceRequest(.guardian, prompt: text, id: "\(requestID).guardian")
        request.configuration = configuration
        request.privacy = privacy
        let asked = request
        try await acquire()
        do {
            // The work gives the guardian back itself: it may go on after its time is over.
            let result = try await withDeadline(timeout, of: timeout, clock: clock) { [self] in
                do {
                    let result = try await run(asked)
                    slot.release()
                    return result
                } catch {
                    slot.release()
                    throw error
                }
            }
            guard case .verdict(let verdict) = result.output else {
                throw BreezeError(.invalidOutput, "it answered with something else than a verdict")
            }
            return verdict
        } catch {
            throw failure(error)
        }
    }

    private func run(_ request: InferenceRequest) async throws -> InferenceResult {
        let ticket = try await slot.gate.enter(priority: priority, client: client)
        defer { slot.gate.leave(ticket) }
        try checkPrivacy()
        return try await slot.runner.run(request: request)
    }

    /// Loads it where it is not.
    private func acquire() async throws {
        do {
            if case .unavailable(let reason, _) = await slot.availability() {
                throw BreezeError(.unavailable, reason)
            }
            try checkPrivacy()
            if slot.acquireIfLoaded(keepAlive: keepAlive) { return }
            let lease = GuardianLease(slot, keepAlive: keepAlive)
            do {
                try await withDeadline(Self.loadLimit, of: Self.loadLimit, clock: clock) {
                    try await lease.take()
                }
            } catch {
                lease.giveUp()
                throw error
            }
        } catch {
            throw failure(error)
        }
    }

    /// Any failure as one of the guardian. It is not the text that may be told: an error of another type may
    /// hold it.
    private func failure(_ error: any Error) -> any Error {
        if Task.isCancelled { return CancellationError() }
        switch error {
        case let error as BreezeError where error.code == .guardianBlocked: return error
        case let error as BreezeError where error.code == .timeout:
            return BreezeError.guardianFailed(id, "it took longer than it may", error)
        case let error as BreezeError: return BreezeError.guardianFailed(id, error.message.asClause, error)
        default: return BreezeError.guardianFailed(id, "an unforeseen \(type(of: error))", error)
        }
    }
}

/// A loaded runner that its taker may have stopped waiting for.
private final class GuardianLease: Sendable {
    private enum State { case wanted, taken, givenUp }

    private let slot: RunnerSlot
    private let keepAlive: Duration?
    private let state = Mutex(State.wanted)

    init(_ slot: RunnerSlot, keepAlive: Duration?) {
        self.slot = slot
        self.keepAlive = keepAlive
    }

    func take() async throws {
        try await slot.acquire(keepAlive: keepAlive)
        let isWanted = state.withLock { state in
            guard state == .wanted else { return false }
            state = .taken
            return true
        }
        if !isWanted { slot.release() }
    }

    func giveUp() {
        let wasTaken = state.withLock { state in
            defer { state = .givenUp }
            return state == .taken
        }
        if wasTaken { slot.release() }
    }
}

extension String {
    /// Without the full stop, to stand within a sentence.
    fileprivate var asClause: String { hasSuffix(".") ? String(dropLast()) : self }
}
