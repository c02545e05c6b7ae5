import BreezeCore

extension Telemetry {
    /// What a guardian said of a request that was answered.
    func recordVerdicts(on result: InferenceResult) {
        guard !result.guardianVerdicts.isEmpty else { return }
        let guarding = result.routing?.guarding
        for verdict in result.guardianVerdicts {
            record(
                verdict,
                verdict.action == .pass ? .passed : guarding.allows(verdict.stage) ? .warned : .filtered
            )
        }
    }

    /// A request that a guardian ended, or could not check.
    func recordBlock(_ error: any Error) {
        guard let error = error as? BreezeError, error.code == .guardianBlocked else { return }
        guard let verdict = error.verdict else {
            return record(.guarded(.blocked, EngineEvent.Guarded(stage: .input)))
        }
        record(verdict, .blocked)
    }

    private func record(_ verdict: GuardianVerdict, _ action: Occurrence.GuardianAction) {
        let guarded = EngineEvent.Guarded(
            stage: verdict.stage ?? .input,
            category: verdict.findings.first?.category
        )
        record(.guarded(action, guarded), runner: verdict.guardian)
    }
}

extension Guarding? {
    /// Whether what was found at that stage went on as it was.
    fileprivate func allows(_ stage: GuardianVerdict.Stage?) -> Bool {
        switch stage {
        case .input, nil: self?.input == .warn
        case .output: self?.output == .warn
        case .tools: self?.tools == .warn
        case .personalData: false
        }
    }
}
