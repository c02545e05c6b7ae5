public import BreezeCore

/// Orders the runners that may answer. An embedding app may bring its own, or wrap the standard one. It is
/// asked only about runners that privacy, consent and memory allow: no policy can bring another one back.
public protocol RoutingPolicy: Sendable {
    /// - Returns: `nil` to rule the runner out.
    func rank(_ runner: RunnerFacts, for request: InferenceRequest, in context: RoutingContext)
        -> RoutingRank?
}

public struct RoutingRank: Hashable, Sendable {
    /// Higher goes first; at least 1.
    public var score: Int
    /// What speaks for or against the runner, as sentences.
    public var reasons: [String]

    public init(score: Int, reasons: [String]) {
        self.score = max(1, score)
        self.reasons = reasons
    }
}

/// What the request or the user's setting names; then on-device before network; then loaded before unloaded;
/// then the better quality tier.
public struct StandardRoutingPolicy: RoutingPolicy {
    /// Each weight is larger than all smaller ones together, so that the sum compares like the list above.
    /// Tiers reach from 0 to 9.
    private enum Weight {
        static let named = 1_000
        static let onDevice = 100
        static let loaded = 50
        static let tier = 2
    }

    public init() {}

    public func rank(
        _ runner: RunnerFacts,
        for request: InferenceRequest,
        in context: RoutingContext
    ) -> RoutingRank? {
        var score = 1
        var reasons: [String] = []
        if request.runnerID != nil || request.modelID != nil {
            score += Weight.named
            reasons.append("the request names it")
        } else if request.allowsMocks && runner.isMock {
            score += Weight.named
            reasons.append("the request asks for a mock")
        } else if let preferred = context.preferred, runner.isNamed(preferred) {
            score += Weight.named
            reasons.append("the settings prefer it")
        }
        if runner.locality == .onDevice {
            score += Weight.onDevice
            reasons.append("it runs on the device")
        } else {
            reasons.append("it is a network service that the settings consent to")
        }
        if runner.isLoaded {
            score += Weight.loaded
            reasons.append("it is loaded already")
        }
        score += Weight.tier * min(max(runner.qualityTier, 0), 9)
        reasons.append("quality tier \(runner.qualityTier)")
        return RoutingRank(score: score, reasons: reasons)
    }
}

extension RunnerFacts {
    /// Whether `name` means this runner: its id, its backend or its model.
    func isNamed(_ name: String) -> Bool { name == id || name == backend || name == modelID }
}
