public import BreezeCore

extension Engine {
    struct Route {
        let decision: RoutingDecision
        /// The runners that may answer, best first.
        let slots: [RunnerSlot]
    }

    func route(_ request: InferenceRequest, settings: EngineSettings) async throws -> Route {
        registry.note(settings.revision)
        try checkNames(request)
        let slots = registry.slots(for: request.capability)
        try checkNamed(request, among: slots)
        var context = context(for: request, settings: settings)
        for slot in slots {
            context.runners.append(await facts(of: slot, for: request, in: context))
        }
        // What is free is read from half a dozen files.
        if router.needsMemory(request, in: context) {
            (context.availableMemory, context.memoryHolders) = residency.obtainable(settings)
        }
        let decision = router.decide(request, in: context)
        let byID = Dictionary(slots.map { ($0.runner.id, $0) }, uniquingKeysWith: { first, _ in first })
        let able = decision.candidates.filter { $0.exclusion == nil }.compactMap { byID[$0.runner] }
        return Route(decision: decision, slots: able)
    }

    private func context(for request: InferenceRequest, settings: EngineSettings) -> RoutingContext {
        RoutingContext(
            runners: [],
            preferred: settings.preferred(for: request.capability),
            consents: settings.consents,
            isOffline: settings.isOffline
        )
    }

    /// A runner that privacy rules out is asked nothing: it learns neither of the request nor that there is
    /// one.
    private func facts(
        of slot: RunnerSlot,
        for request: InferenceRequest,
        in context: RoutingContext
    ) async -> RunnerFacts {
        let runner = slot.runner
        var facts = RunnerFacts(
            id: runner.id,
            backend: runner.backend,
            modelID: runner.model?.id,
            locality: runner.locality,
            isLoaded: slot.isLoaded,
            isMock: runner.isMock,
            memoryEstimate: slot.holdsMemory ? nil : residency.size(of: runner),
            qualityTier: runner.qualityTier,
            reservation: runner.reservation
        )
        if router.networkRuling(facts, request, context) == nil {
            facts.canRun = runner.canRun(request: request)
            facts.availability = await slot.availability()
        }
        return facts
    }

    /// Holds a network runner against the settings as they are now.
    func checkPrivacy(of runner: any Runner, for request: InferenceRequest) throws {
        guard runner.locality == .network else { return }
        let context = context(for: request, settings: try settings.current())
        let facts = RunnerFacts(id: runner.id, backend: runner.backend, locality: runner.locality)
        guard let ruling = router.networkRuling(facts, request, context) else { return }
        throw BreezeError(.noRunner, "\(runner.id) may not answer: \(ruling.reason).", remedy: ruling.remedy)
    }

    /// A name that nothing has is a mistake and not a candidate's fault.
    private func checkNames(_ request: InferenceRequest) throws {
        let all = registry.all.map(\.runner)
        if let named = request.runnerID, !all.contains(where: { named == $0.id || named == $0.backend }) {
            throw unknownRunner(named)
        }
        if let named = request.modelID, !all.contains(where: { $0.model?.id == named }) {
            let near = nearestName(to: named, in: all.compactMap { $0.model?.id })
            throw BreezeError(
                .unknownModel,
                "There is no model \(named.prefix(100)).",
                remedy: near.map { "Did you mean \($0)?" } ?? "List the installed ones: breeze models list"
            )
        }
        let isKnown =
            request.capability.isStandard
            || all.contains { $0.supportedCapabilities.contains(request.capability) }
        if !isKnown {
            let known = Set(AICapability.standard).union(all.flatMap(\.supportedCapabilities))
            let names = known.map(\.rawValue).sorted()
            let near = nearestName(to: request.capability.rawValue, in: names)
            throw BreezeError(
                .unknownCapability,
                "There is no capability \(request.capability).",
                remedy: near.map { "Did you mean \($0)?" } ?? "There are \(names.joined(separator: ", "))."
            )
        }
    }

    /// The runner that the request names must have the capability.
    private func checkNamed(_ request: InferenceRequest, among slots: [RunnerSlot]) throws {
        guard let named = request.runnerID,
            !slots.contains(where: { named == $0.runner.id || named == $0.runner.backend })
        else { return }
        let others = slots.map(\.runner.id).joined(separator: ", ")
        throw BreezeError(
            .noRunner,
            "\(named) cannot do \(request.capability).",
            remedy: others.isEmpty ? "List who can do what: breeze runners" : "Able to: \(others)."
        )
    }

    /// A sentence for each setting that names a runner or model which is not there: a slip of the pen, or
    /// something that was removed. No reason to fail, and none to be silent.
    public func strayNames(in settings: EngineSettings) -> [String] {
        let namings = settings.namings
        guard !namings.isEmpty else { return [] }
        let known = registry.all.map(\.runner).flatMap {
            [$0.id, $0.backend] + [$0.model?.id].compactMap { $0 }
        }
        return namings.filter { !known.contains($0.name) }.map { naming in
            let near = nearestName(to: naming.name, in: known).map { " Did you mean \($0)?" } ?? ""
            return
                "The setting \(naming.setting) names \(naming.name), and there is no such runner or model.\(near)"
        }
    }

    func unknownRunner(_ name: String) -> BreezeError {
        let near = nearestName(
            to: name,
            in: registry.all.flatMap { [$0.runner.id, $0.runner.backend] }
        )
        return BreezeError(
            .unknownRunner,
            "There is no runner \(name).",
            remedy: near.map { "Did you mean \($0)?" } ?? "List them: breeze runners"
        )
    }
}

extension RoutingDecision {
    /// The failure that it is where nobody may answer.
    public var noRunner: BreezeError {
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
