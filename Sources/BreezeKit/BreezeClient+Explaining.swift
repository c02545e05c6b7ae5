public import BreezeCore

extension BreezeClient {
    /// Which way a request would take now, and why not the ones before it. Which runner of the hub answers is
    /// the hub's to say: its result tells it.
    public func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        try request.validate()
        var decision = RoutingDecision(capability: request.capability, chosen: nil, candidates: [])
        for way in ways {
            var candidate = RoutingDecision.Candidate(
                runner: name(of: way),
                model: (way as? FallbackWay)?.runner?.runner.model?.id,
                locality: (way as? FallbackWay)?.runner?.runner.locality ?? .onDevice
            )
            do {
                try await look(way, for: request)
                candidate.score = 1
                candidate.reasons = ["\(way.name.words): it is open."]
                decision.chosen = candidate.runner
                decision.candidates.insert(candidate, at: 0)
                return decision
            } catch {
                let (exclusion, reason, remedy) = Self.exclusion(error)
                (candidate.exclusion, candidate.remedy) = (exclusion, remedy)
                candidate.reasons = ["\(way.name.words): \(reason)"]
                decision.candidates.append(candidate)
                // What is no closed way would be the answer: no way behind it is tried.
                guard error is NothingSent else { return decision }
            }
        }
        return decision
    }

    private func name(of way: any Way) -> String {
        guard let runner = (way as? FallbackWay)?.runner?.runner else { return "breeze:\(way.name.rawValue)" }
        return runner.id
    }

    private func look(_ way: any Way, for request: InferenceRequest) async throws {
        let finding: HubFinding
        switch way {
        case let way as FallbackWay: return try await way.check(request)
        case let way as HubWay: finding = try await way.look()
        case let way as SchemeWay: finding = try await way.look()
        case let way as ClosedWay: throw way.why
        default: return
        }
        guard !finding.isOpen else { return }
        let reason = finding.reason ?? "The hub is \(finding.state.rawValue)."
        throw BreezeError(.approvalPending, reason, remedy: finding.remedy)
    }

    private static func exclusion(
        _ error: any Error
    ) -> (RoutingDecision.Exclusion, reason: String, remedy: String?) {
        switch error {
        case let closed as NothingSent: (.unavailable, closed.reason, closed.remedy)
        case let error as BreezeError where error.code == .networkConsentRequired:
            (.noConsent, error.message, error.remedy)
        default: (.unavailable, KitFault.wrapping(error).message, KitFault.wrapping(error).remedy)
        }
    }
}
