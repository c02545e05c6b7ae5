public import BreezeCore

extension Engine {
    /// Who would check a chat request and its answer, by the settings as they are.
    public func guarding() async throws -> Guarding {
        let policy = try settings.current().guardianPolicy
        let (slot, reason) = await guardian(by: policy)
        return guarding(by: policy, slot: slot, reason: reason)
    }

    /// What ``explain(_:)`` tells of it. Nothing is checked.
    func guarding(of request: InferenceRequest, settings: EngineSettings) async throws -> Guarding? {
        guard request.capability.isGuarded else { return nil }
        var (request, policy) = (request, settings.guardianPolicy)
        _ = try policy.tighten(by: &request)
        let (slot, reason) = await guardian(by: policy)
        return guarding(by: policy, slot: slot, reason: reason)
    }

    /// Checks the input, before any runner is chosen for good or loaded.
    /// - Throws: ``BreezeError/Code/guardianBlocked``.
    func guardianPass(
        for request: InferenceRequest,
        settings: EngineSettings
    ) async throws -> GuardianPass {
        let policy = settings.guardianPolicy
        let (slot, reason) = await guardian(by: policy)
        return try await uncheckedPass(for: request, policy, slot, reason, settings).checkingInput()
    }

    /// Apart, so that what it juggles with is on no task's frame.
    private func uncheckedPass(
        for request: InferenceRequest,
        _ policy: GuardianPolicy,
        _ slot: RunnerSlot?,
        _ reason: String?,
        _ settings: EngineSettings
    ) throws -> GuardianPass {
        var (request, policy) = (request, policy)
        let wish = try policy.tighten(by: &request)
        policy = policy.inForce(with: slot)
        let guarding = guarding(by: policy, slot: slot, reason: reason)
        let isGuarded = request.capability.isGuarded
        if slot == nil, isGuarded, max(guarding.input, guarding.output, guarding.tools) > .off {
            throw BreezeError.guardianFailed(policy.runner ?? "that is asked for", reason ?? "")
        }
        return GuardianPass(
            request: request,
            guarding: isGuarded ? guarding : nil,
            policy: policy,
            checker: try slot.map { try checker($0, for: request, policy: policy, settings: settings) },
            wish: wish
        )
    }

    private func guarding(by policy: GuardianPolicy, slot: RunnerSlot?, reason: String?) -> Guarding {
        let policy = policy.inForce(with: slot)
        return Guarding(
            guardian: slot?.runner.id,
            input: policy.input,
            output: policy.output,
            tools: policy.tools,
            reason: reason
        )
    }

    /// The guardian that the settings name, mock or not; else the best one of this device that is no mock,
    /// one that is available before one that is not.
    private func guardian(by policy: GuardianPolicy) async -> (RunnerSlot?, reason: String?) {
        let slots = registry.slots(for: .guardian)
        if let named = policy.runner {
            let slot = slots.first { named == $0.runner.id || named == $0.runner.backend }
            return (slot, slot == nil ? "guardian.runner names \(named), and no such guardian is there" : nil)
        }
        var unavailable: (RunnerSlot, String)?
        let real = slots.filter { !$0.runner.isMock && $0.runner.locality == .onDevice }
        for slot in real.enumerated().sorted(by: { first, second in
            (second.element.runner.qualityTier, first.offset)
                < (first.element.runner.qualityTier, second.offset)
        }).map(\.element) {
            switch await slot.availability() {
            case .available: return (slot, nil)
            case .unavailable(let reason, _): unavailable = unavailable ?? (slot, reason)
            }
        }
        guard let unavailable else { return (nil, "no guardian is registered") }
        return (unavailable.0, unavailable.1)
    }

    private func checker(
        _ slot: RunnerSlot,
        for request: InferenceRequest,
        policy: GuardianPolicy,
        settings: EngineSettings
    ) throws -> GuardianChecker {
        var (configuration, _) = try slot.resolver(settings).resolve(InferenceConfig())
        configuration.timeout = nil
        let wanted: [(String, JSONValue?)] = [
            ("strictness", policy.strictness.map { .string($0) }),
            ("categories", policy.categories.map { .array($0.map { .string($0) }) }),
        ]
        for (name, value) in wanted {
            guard let value else { continue }
            guard let kind = slot.runner.parameterSchema[name]?.kind,
                case .valid(let checked) = kind.check(value)
            else {
                throw BreezeError(
                    .invalidSetting,
                    "guardian.\(name) is set to something that \(slot.runner.id) does not take.",
                    remedy: "Change it, or take it out: breeze config unset guardian.\(name)"
                )
            }
            configuration[parameter: name] = checked
        }
        return GuardianChecker(
            slot: slot,
            configuration: configuration,
            timeout: policy.timeout,
            keepAlive: settings.keepAlive(of: slot.runner, asked: nil),
            clock: clock,
            priority: request.priority,
            client: request.client,
            privacy: request.privacy,
            requestID: request.id,
            checkPrivacy: { [self] in try checkPrivacy(of: slot.runner, for: request) }
        )
    }
}
