import BreezeCore

/// One request's way past the guardian: its input was checked when this is made, its answer is checked by
/// ``answer(of:to:into:)``, and ``conclude(_:)`` tells the caller.
struct GuardianPass: Sendable {
    /// What goes on to the runners: the request, less what a filter took out of it.
    let request: InferenceRequest
    /// `nil` where the capability's texts are not checked.
    let guarding: Guarding?
    let policy: GuardianPolicy
    /// `nil` where nobody checks.
    let checker: GuardianChecker?
    let record: GuardianRecord
    /// What became of the request's wish to be guarded more strictly.
    let wish: ParameterReport.Entry?
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
    /// is checked.
    func answer(
        of runner: any Runner,
        to request: InferenceRequest,
        into sink: ChunkSink
    ) async throws -> InferenceResult {
        guard let checker else {
            if runner.locality == .network, policy.personalData != .allow {
                throw BreezeError.guardianFailed(policy.runner ?? "", "no such guardian is there")
            }
            return try await runner.stream(request, into: sink)
        }
        var request = request
        var record = GuardianRecord()
        if runner.locality == .network {
            try await checker.holding { try await redact(&request, with: checker, noting: &record) }
        }
        var result: InferenceResult
        if let mode = guarding?.output, mode > .off {
            let asked = request
            result = try await checker.holding {
                try await GuardedSink(
                    asked,
                    rule: rule(.output, mode, checker),
                    checker: checker,
                    target: sink
                ).collect(from: runner)
            }
        } else {
            result = try await runner.stream(request, into: sink)
        }
        result.guardianVerdicts += record.verdicts
        result.notices += record.notices
        return result
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
    /// Checks the input.
    init(
        _ request: InferenceRequest,
        guarding: Guarding?,
        policy: GuardianPolicy,
        checker: GuardianChecker?,
        wish: ParameterReport.Entry?
    ) async throws {
        var request = request
        var record = GuardianRecord()
        if let checker, let guarding, max(guarding.input, guarding.tools) > .off {
            let scope = policy.ignoresPersonalData ? GuardianRule.Scope.allButPersonalData : .everything
            let input = GuardianRule(
                stage: .input,
                mode: guarding.input,
                scope: scope,
                guardian: checker.id
            )
            var tools = input
            (tools.stage, tools.mode) = (.tools, guarding.tools)
            try await checker.holding {
                try await request.changeTexts { origin, text in
                    try await checker.examine(text, origin == .tool ? tools : input, noting: &record)
                }
            }
        }
        self.init(
            request: request,
            guarding: guarding,
            policy: policy,
            checker: checker,
            record: record,
            wish: wish
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
        return guarded.take(upTo: guarded.length)
    }
}
