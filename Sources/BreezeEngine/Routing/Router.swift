import BreezeCore

/// Decides which runner answers a request. A pure function of request and context, so that what it explains
/// is what is done.
struct Router: Sendable {
    let policy: any RoutingPolicy

    func decide(_ request: InferenceRequest, in context: RoutingContext) -> RoutingDecision {
        var eligible: [RoutingDecision.Candidate] = []
        var excluded: [RoutingDecision.Candidate] = []
        for facts in context.runners {
            var candidate = RoutingDecision.Candidate(
                runner: facts.id,
                model: facts.modelID,
                locality: facts.locality
            )
            if let ruling = exclusion(of: facts, request: request, context: context) {
                candidate.exclusion = ruling.exclusion
                candidate.reasons = [ruling.reason]
                candidate.remedy = ruling.remedy
                excluded.append(candidate)
            } else if let rank = policy.rank(facts, for: request, in: context) {
                candidate.score = max(1, rank.score)
                candidate.reasons = rank.reasons
                eligible.append(candidate)
            } else {
                candidate.exclusion = .policy
                candidate.reasons = ["the app's routing policy rules it out"]
                excluded.append(candidate)
            }
        }
        // Stable, so that equals stay in the order of registration.
        eligible.sort { $0.score > $1.score }
        return RoutingDecision(
            capability: request.capability,
            chosen: eligible.first?.runner,
            candidates: eligible + excluded
        )
    }

    /// Whether the decision depends on the memory that is free: a runner may answer, if it can be loaded.
    func needsMemory(_ request: InferenceRequest, in context: RoutingContext) -> Bool {
        var unlimited = context
        unlimited.availableMemory = nil
        return context.runners.contains { facts in
            (facts.memoryEstimate ?? 0) > 0 && !facts.isLoaded
                && exclusion(of: facts, request: request, context: unlimited) == nil
        }
    }

    struct Ruling {
        let exclusion: RoutingDecision.Exclusion
        let reason: String
        let remedy: String?

        init(_ exclusion: RoutingDecision.Exclusion, _ reason: String, remedy: String? = nil) {
            self.exclusion = exclusion
            self.reason = reason
            self.remedy = remedy
        }
    }

    /// The rules that no policy lifts: privacy first, so that its reason is the one that is shown.
    private func exclusion(
        of runner: RunnerFacts,
        request: InferenceRequest,
        context: RoutingContext
    ) -> Ruling? {
        if let ruling = networkRuling(runner, request, context) { return ruling }
        if let ruling = namingRuling(runner, request, context) { return ruling }
        if !runner.canRun { return Ruling(.cannotRun, "it cannot answer a request of this shape") }
        if case .unavailable(let reason, let remedy) = runner.availability {
            return Ruling(.unavailable, reason, remedy: remedy)
        }
        if let needed = runner.memoryEstimate, let free = context.availableMemory, !runner.isLoaded,
            needed > free
        {
            return Ruling(
                .insufficientMemory,
                "it needs \(needed >> 20) MiB of memory and \(free >> 20) can be had"
                    + (context.memoryHolders.map { " (\($0))" } ?? ""),
                remedy: context.memoryHolders == nil
                    ? "Free memory, or choose a smaller model."
                    : "Wait, or let one go: breeze unload or breeze unpin with its name."
            )
        }
        return nil
    }

    /// Whether privacy lets a request reach the runner at all. It stands apart because it is asked three
    /// times: before the runner is asked anything, in the decision, and again when its turn comes, since a
    /// consent may be taken back meanwhile.
    func networkRuling(
        _ runner: RunnerFacts,
        _ request: InferenceRequest,
        _ context: RoutingContext
    ) -> Ruling? {
        guard runner.locality == .network else { return nil }
        if request.privacy == .onDevice {
            return Ruling(.pinnedToDevice, "the request may not leave the device")
        }
        if context.isOffline { return Ruling(.offline, "the settings say that the device is offline") }
        if context.consents.isDisjoint(with: [runner.id, runner.backend]) {
            return Ruling(
                .noConsent,
                "it is a network service and the settings hold no consent for it",
                remedy:
                    "breeze config set privacy.consent \(context.consents.union([runner.backend]).sorted().joined(separator: ","))"
            )
        }
        return nil
    }

    private func namingRuling(
        _ runner: RunnerFacts,
        _ request: InferenceRequest,
        _ context: RoutingContext
    ) -> Ruling? {
        if let named = request.runnerID, named != runner.id, named != runner.backend {
            return Ruling(.notNamed, "the request names the runner \(named)")
        }
        if let model = request.modelID, model != runner.modelID {
            return Ruling(.notNamed, "the request names the model \(model)")
        }
        if runner.isMock, !request.allowsMocks, request.runnerID == nil {
            return Ruling(.mock, "it is a mock and answers only when it is asked for")
        }
        // A backend's name alone chooses no model.
        if let reservation = runner.reservation, request.modelID == nil, request.runnerID != runner.id,
            !runner.isNamed(context.preferred)
        {
            return Ruling(
                .notNamed,
                "\(reservation), so it answers only when it is asked for",
                remedy: "Name it: --runner \(runner.id)"
            )
        }
        return nil
    }
}
