/// Which runner answers a request, and why each other one does not.
public struct RoutingDecision: Codable, Hashable, Sendable {
    public struct Candidate: Codable, Hashable, Sendable {
        public var runner: String
        public var model: String?
        public var locality: Locality
        /// Higher goes first; 0 for one that may not answer. Comparable within one decision only.
        public var score: Int
        /// What rules it out; `nil` for one that may answer.
        public var exclusion: Exclusion?
        /// Sentences for a person: what speaks for it, or what rules it out.
        public var reasons: [String]
        /// The command or step that would let it answer; `nil` for one that may, or where there is none.
        public var remedy: String?

        public init(
            runner: String,
            model: String? = nil,
            locality: Locality,
            score: Int = 0,
            exclusion: Exclusion? = nil,
            reasons: [String] = [],
            remedy: String? = nil
        ) {
            self.runner = runner
            self.model = model
            self.locality = locality
            self.score = score
            self.exclusion = exclusion
            self.reasons = reasons
            self.remedy = remedy
        }
    }

    /// Why a runner may not answer. Open, like every code.
    public struct Exclusion: RawRepresentable, Hashable, Sendable, Codable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is not the runner or model that the request names.
        public static let notNamed = Self(rawValue: "not_named")
        public static let mock = Self(rawValue: "mock")
        public static let unavailable = Self(rawValue: "unavailable")
        public static let cannotRun = Self(rawValue: "cannot_run")
        public static let pinnedToDevice = Self(rawValue: "pinned_to_device")
        public static let offline = Self(rawValue: "offline")
        public static let noConsent = Self(rawValue: "no_consent")
        public static let insufficientMemory = Self(rawValue: "insufficient_memory")
        /// An embedding app's ``RoutingPolicy`` ruled it out.
        public static let policy = Self(rawValue: "policy")
    }

    /// A runner that was tried and failed before its first chunk, so that the next one was tried.
    public struct Failure: Codable, Hashable, Sendable {
        public var runner: String
        public var error: BreezeError

        public init(runner: String, error: BreezeError) {
            self.runner = runner
            self.error = error
        }
    }

    public var capability: AICapability
    /// The runner that answers; `nil` where none may.
    public var chosen: String?
    /// Every runner that has the capability: the ones that may answer first, best first.
    public var candidates: [Candidate]
    /// The runners that were chosen before ``chosen`` and failed, in order.
    public var failures: [Failure]
    /// Filled in by the engine; `nil` for a capability whose texts no guardian checks.
    public var guarding: Guarding?

    public init(
        capability: AICapability,
        chosen: String?,
        candidates: [Candidate],
        failures: [Failure] = [],
        guarding: Guarding? = nil
    ) {
        self.capability = capability
        self.chosen = chosen
        self.candidates = candidates
        self.failures = failures
        self.guarding = guarding
    }
}
