import BreezeCore

extension Engine {
    struct Route {
        let decision: RoutingDecision
        /// The runners that may answer, best first.
        let runners: [any Runner]
    }

    func route(_ request: InferenceRequest, settings: EngineSettings) async throws -> Route {
        await registry.note(settings.revision)
        try await checkNames(request)
        let entries = await registry.entries(for: request.capability)
        var facts: [RunnerFacts] = []
        for entry in entries {
            facts.append(await self.facts(of: entry, for: request))
        }
        let context = RoutingContext(
            runners: facts,
            preferred: settings.preferred(for: request.capability),
            consents: settings.consents,
            isOffline: settings.isOffline,
            availableMemory: facts.contains { $0.memoryEstimate != nil && !$0.isLoaded }
                ? hardware.availableMemory() : nil
        )
        let decision = router.decide(request, in: context)
        let byID = Dictionary(
            entries.map { ($0.runner.id, $0.runner) },
            uniquingKeysWith: { first, _ in first }
        )
        let runners = decision.candidates.filter { $0.exclusion == nil }.compactMap { byID[$0.runner] }
        return Route(decision: decision, runners: runners)
    }

    private func facts(of entry: RunnerRegistry.Entry, for request: InferenceRequest) async -> RunnerFacts {
        let runner = entry.runner
        return RunnerFacts(
            id: runner.id,
            backend: runner.backend,
            modelID: runner.model?.id,
            locality: runner.locality,
            availability: entry.availability,
            canRun: runner.canRun(request: request),
            isLoaded: await residency.isLoaded(RunnerKey(runner)),
            isMock: runner.isMock,
            memoryEstimate: runner.memoryEstimate,
            qualityTier: runner.qualityTier
        )
    }

    /// A name that nothing has is a mistake and not a candidate's fault.
    private func checkNames(_ request: InferenceRequest) async throws {
        let all = await registry.all
        if let named = request.runnerID, !all.contains(where: { named == $0.id || named == $0.backend }) {
            throw await unknownRunner(named)
        }
        if let named = request.modelID, !all.contains(where: { $0.model?.id == named }) {
            let near = nearestName(to: named, in: all.compactMap { $0.model?.id })
            throw BreezeError(
                .unknownModel,
                "There is no model \(named).",
                remedy: near.map { "Did you mean \($0)?" } ?? "List the installed ones: breeze models list"
            )
        }
        let known = Set(AICapability.standard).union(all.flatMap(\.supportedCapabilities))
        if !known.contains(request.capability) {
            let names = known.map(\.rawValue).sorted()
            let near = nearestName(to: request.capability.rawValue, in: names)
            throw BreezeError(
                .unknownCapability,
                "There is no capability \(request.capability).",
                remedy: near.map { "Did you mean \($0)?" } ?? "There are \(names.joined(separator: ", "))."
            )
        }
    }

    func unknownRunner(_ name: String) async -> BreezeError {
        let near = nearestName(to: name, in: await registry.all.flatMap { [$0.id, $0.backend] })
        return BreezeError(
            .unknownRunner,
            "There is no runner \(name).",
            remedy: near.map { "Did you mean \($0)?" } ?? "List them: breeze runners"
        )
    }
}

extension RoutingDecision {
    /// The failure that it is when nobody may answer.
    var noRunner: BreezeError {
        let reasons = candidates.map { "\($0.runner): \($0.reasons.joined(separator: ", "))" }
        // What the device lacks says more than what the request or the settings rule out.
        let lacking = candidates.first { $0.exclusion == .unavailable || $0.exclusion == .insufficientMemory }
        let code: BreezeError.Code =
            switch lacking?.exclusion {
            case .unavailable: .unavailable
            case .insufficientMemory: .insufficientMemory
            default: .noRunner
            }
        return BreezeError(
            code,
            reasons.isEmpty
                ? "No runner here can do \(capability)."
                : "No runner may answer this \(capability) request (\(reasons.joined(separator: "; "))).",
            remedy: (lacking ?? candidates.first { $0.remedy != nil })?.remedy
                ?? "See what would answer, and what mends it: breeze route \(capability) and breeze doctor"
        )
    }
}
