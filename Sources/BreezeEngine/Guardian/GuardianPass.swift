import BreezeCore

/// One request's way past the guardian: ``checkingInput()``, then its answer is checked by
/// ``answer(of:to:into:hear:)``, and ``conclude(_:)`` tells the caller.
///
/// A class, so that the frames that wait for the answer hold no copy of it.
final class GuardianPass: Sendable {
    /// What goes on to the runners: the request, less what a filter took out of it.
    let request: InferenceRequest
    /// `nil` where the capability's texts are not checked.
    let guarding: Guarding?
    let policy: GuardianPolicy
    /// `nil` where nobody checks.
    let checker: GuardianChecker?
    private let record: GuardianRecord
    /// What became of the request's wish to be guarded more strictly.
    let wish: ParameterReport.Entry?

    init(
        request: InferenceRequest,
        guarding: Guarding?,
        policy: GuardianPolicy,
        checker: GuardianChecker?,
        wish: ParameterReport.Entry?,
        record: GuardianRecord = GuardianRecord()
    ) {
        self.request = request
        self.guarding = guarding
        self.policy = policy
        self.checker = checker
        self.wish = wish
        self.record = record
    }
}

/// The guardian's account of a request.
struct GuardianRecord: Sendable {
    private(set) var verdicts: [GuardianVerdict] = []
    private(set) var notices: [String] = []

    /// Of the texts of one stage, each with something found in it counts, or one for all that are clean.
    mutating func note(_ text: GuardedText) {
        let verdict = text.verdict
        if let notice = text.notice, !notices.contains(notice) { notices.append(notice) }
        let isClean = verdict.action == .pass && verdict.findings.isEmpty
        if isClean, verdicts.contains(where: { $0.stage == verdict.stage }) { return }
        verdicts.removeAll { $0.stage == verdict.stage && $0.action == .pass && $0.findings.isEmpty }
        verdicts.append(verdict)
    }

    mutating func note(_ notice: String) { notices.append(notice) }

    mutating func add(_ other: GuardianRecord) {
        verdicts += other.verdicts
        notices += other.notices
    }
}

extension GuardianPass {
    /// Puts the account of the input into a result.
    func conclude(_ result: inout InferenceResult) {
        result.guardianVerdicts = record.verdicts + result.guardianVerdicts
        result.notices += record.notices
        if let wish { result.parameters?.entries.append(wish) }
    }

    /// Has `runner` answer: what leaves the device is without personal data, and what leaves this function
    /// is checked. `hear` is called for each piece as it comes from the runner.
    func answer(
        of runner: any Runner,
        to request: InferenceRequest,
        into sink: ChunkSink,
        hear: @escaping @Sendable () -> Void
    ) async throws -> InferenceResult {
        guard let checker else {
            if runner.locality == .network, policy.personalData != .allow {
                throw BreezeError.guardianFailed(policy.runner ?? "", "no such guardian is there")
            }
            return try await runner.stream(request, into: sink.heard(by: hear))
        }
        guard runner.locality == .network else {
            return try await checked(runner, request, checker, sink, hear)
        }
        return try await answer(ofNetwork: runner, to: request, checker, sink, hear)
    }

    // Not within its caller, whose frame each answer keeps while it grows.
    @inline(never)
    private func answer(
        ofNetwork runner: any Runner,
        to request: InferenceRequest,
        _ checker: GuardianChecker,
        _ sink: ChunkSink,
        _ hear: @escaping @Sendable () -> Void
    ) async throws -> InferenceResult {
        var request = request
        var record = GuardianRecord()
        try await checker.holding { try await redact(&request, with: checker, noting: &record) }
        var result = try await checked(runner, request, checker, sink, hear)
        result.guardianVerdicts += record.verdicts
        result.notices += record.notices
        return result
    }

    /// The answer, which is checked.
    @inline(never)
    private func checked(
        _ runner: any Runner,
        _ request: InferenceRequest,
        _ checker: GuardianChecker,
        _ sink: ChunkSink,
        _ hear: @escaping @Sendable () -> Void
    ) async throws -> InferenceResult {
        guard let mode = guarding?.output, mode > .off else {
            return try await runner.stream(request, into: sink.heard(by: hear))
        }
        return try await checker.holding {
            try await guardedSink(request, mode, checker, sink).collect(from: runner, hear: hear)
        }
    }

    // Not within its caller, either.
    @inline(never)
    private func guardedSink(
        _ request: InferenceRequest,
        _ mode: GuardianMode,
        _ checker: GuardianChecker,
        _ target: ChunkSink
    ) throws -> GuardedSink {
        let rule = rule(.output, mode, checker)
        return try GuardedSink(request, rule: rule, checker: checker, target: target)
    }

    private func redact(
        _ request: inout InferenceRequest,
        with checker: GuardianChecker,
        noting record: inout GuardianRecord
    ) async throws {
        let mode: GuardianMode =
            switch policy.personalData {
            case .allow: .off
            case .redact: .filter
            case .block: .block
            }
        guard mode > .off else { return }
        let personal = checker.lookingFor(GuardianPolicy.personalData)
        let rule = GuardianRule(
            stage: .personalData,
            mode: mode,
            scope: .personalDataAlone,
            guardian: checker.id
        )
        var found = record
        try await request.changeTexts { _, text in try await personal.examine(text, rule, noting: &found) }
        if request.hasMedia {
            found.note("Personal data was looked for in text alone: images and recordings went as they are.")
        }
        record = found
    }

    private func rule(
        _ stage: GuardianVerdict.Stage,
        _ mode: GuardianMode,
        _ checker: GuardianChecker
    ) -> GuardianRule {
        GuardianRule(
            stage: stage,
            mode: mode,
            scope: policy.ignoresPersonalData ? .allButPersonalData : .everything,
            guardian: checker.id
        )
    }
}

extension GuardianPass {
    /// To be called before any runner is chosen for good or loaded.
    /// - Returns: What goes on from here.
    /// - Throws: ``BreezeError/Code/guardianBlocked``.
    func checkingInput() async throws -> GuardianPass {
        guard let checker, let guarding, max(guarding.input, guarding.tools) > .off else { return self }
        let input = rule(.input, guarding.input, checker)
        let tools = rule(.tools, guarding.tools, checker)
        var (request, record) = (request, record)
        try await checker.holding {
            try await request.changeTexts { origin, text in
                try await checker.examine(text, origin == .tool ? tools : input, noting: &record)
            }
        }
        return GuardianPass(
            request: request,
            guarding: guarding,
            policy: policy,
            checker: checker,
            wish: wish,
            record: record
        )
    }
}

extension GuardianChecker {
    /// Checks a whole text. To be called while the guardian is held.
    /// - Returns: The text, less what a filter took out of it.
    func examine(
        _ text: String,
        _ rule: GuardianRule,
        noting record: inout GuardianRecord
    ) async throws -> String {
        guard rule.mode > .off else { return text }
        var guarded = GuardedText(rule, try inspector(ofWholeText: true))
        try await guarded.append(text)
        try await guarded.finish()
        record.note(guarded)
        // The same words once more would lie beside the request's own for as long as the answer grows.
        return guarded.isChanged ? guarded.take(upTo: guarded.length) : text
    }
}

extension ChunkSink {
    /// `hear` is called for each piece of the answer, before it goes on.
    fileprivate func heard(by hear: @escaping @Sendable () -> Void) -> ChunkSink {
        ChunkSink(isRead: isRead) { chunk in
            if chunk.isAnswer { hear() }
            try await send(chunk)
        }
    }
}
