import BreezeCore

/// What becomes of personal data in a request that would leave the device.
public enum PersonalDataRule: String, Codable, CaseIterable, Sendable {
    case allow
    /// It is taken out of what goes to the network; the request itself stays whole on the device.
    case redact
    /// The request does not go.
    case block
}

/// How requests are guarded, by the settings and by what the request itself asks for on top of them.
struct GuardianPolicy: Sendable, Equatable {
    /// The parameter by which a request asks to be guarded more strictly than the settings say. It is the
    /// engine's own and reaches no runner.
    static let parameter = "guardian"

    /// What the guardians call what identifies a person.
    static let personalData = "personal-data"

    var input = GuardianMode.block
    var output = GuardianMode.block
    var tools = GuardianMode.block
    var personalData = PersonalDataRule.redact
    /// The id or backend of the guardian; `nil` for the best one that there is.
    var runner: String?
    var strictness: String?
    var categories: [String]?
    var timeout = Duration.seconds(2)
    /// What somebody asked for in so many words: without a guardian these fail, where the defaults are off.
    var demanded: Set<GuardianVerdict.Stage> = []

    /// On a device without a guardian what was demanded stays, and fails; the defaults are off.
    func inForce(with guardian: RunnerSlot?) -> GuardianPolicy {
        guard guardian == nil, runner == nil else { return self }
        var policy = self
        if !demanded.contains(.input) { policy.input = .off }
        if !demanded.contains(.output) { policy.output = .off }
        if !demanded.contains(.tools) { policy.tools = .off }
        if !demanded.contains(.personalData) { policy.personalData = .allow }
        return policy
    }

    /// On the device personal data may be told, unless it is among the categories that the settings list.
    var ignoresPersonalData: Bool {
        !(categories ?? []).contains {
            GuardianVerdict.Finding(category: $0, risk: 0).isWithin(Self.personalData)
        }
    }
}

extension EngineSettings {
    var guardianPolicy: GuardianPolicy {
        var policy = GuardianPolicy()
        func mode(_ name: String, _ stage: GuardianVerdict.Stage) -> GuardianMode? {
            guard let mode = tree["guardian", name]?.stringValue.flatMap(GuardianMode.init) else {
                return nil
            }
            if mode != .off { policy.demanded.insert(stage) }
            return mode
        }
        policy.input = mode("input", .input) ?? policy.input
        policy.output = mode("output", .output) ?? policy.output
        policy.tools = mode("tools", .tools) ?? policy.tools
        let rule = tree["guardian", "personalData"]?.stringValue.flatMap(PersonalDataRule.init)
        if let rule {
            policy.personalData = rule
            if rule != .allow { policy.demanded.insert(.personalData) }
        }
        policy.runner = tree["guardian", "runner"]?.stringValue
        policy.strictness = tree["guardian", "strictness"]?.stringValue
        policy.categories = tree["guardian", "categories"]?.arrayValue?.compactMap(\.stringValue)
        if let seconds = tree["guardian", "timeout"]?.doubleValue { policy.timeout = .seconds(seconds) }
        return policy
    }
}

extension GuardianPolicy {
    /// Takes the parameter ``parameter`` out of a request. A mode that is stricter than the settings' counts,
    /// one that is laxer is refused.
    /// - Returns: The account of it; `nil` where the request does not ask.
    mutating func tighten(by request: inout InferenceRequest) throws -> ParameterReport.Entry? {
        let asked = request.configuration.additional.removeValue(forKey: Self.parameter)
        guard let asked, asked != .null else { return nil }
        guard let mode = asked.stringValue.flatMap(GuardianMode.init) else {
            let modes = GuardianMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw BreezeError(
                .invalidParameter,
                "\(Self.parameter) (from the client's values): it is none of \(modes).",
                remedy: "Leave it out: then the settings count."
            )
        }
        var entry = ParameterReport.Entry(name: Self.parameter)
        let least = min(input, output, tools)
        if mode < least {
            entry.events = [
                ParameterReport.Event(
                    kind: .refused,
                    tier: .client,
                    asked: asked,
                    reason: "a request may be guarded more strictly than the settings say, never less"
                )
            ]
            (entry.value, entry.tier) = (.string(least.rawValue), .engineSettings)
            return entry
        }
        (entry.value, entry.tier) = (asked, .client)
        input = max(input, mode)
        output = max(output, mode)
        tools = max(tools, mode)
        if mode != .off { demanded.formUnion([.input, .output, .tools]) }
        return entry
    }
}

extension AICapability {
    /// Whether its answers are made up word by word, so that what goes in and what comes out are checked. A
    /// capability that Breeze does not know counts as one.
    var isGuarded: Bool {
        let others: Set<AICapability> = [.embedding, .classification, .rerank, .guardian]
        return !others.contains(self)
    }
}
