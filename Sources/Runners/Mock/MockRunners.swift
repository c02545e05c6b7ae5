public import BreezeCore

/// Runners that make their answers up: for building an app before a model is there, and for tests. The router
/// passes them over unless a request asks for them.
///
/// Every result has ``InferenceResult/isMock`` set, and every text that a person may read begins with
/// ``label``. JSON (guided output, the arguments of a tool call) carries no label, since it must satisfy its
/// schema.
public enum MockRunners {
    /// What a made-up text begins with. No part of the answer: no token limit, stop string or usage counts
    /// it.
    public static let label = "[mock]"

    /// One runner of each kind. Delays pass on `clock`.
    public static func all(clock: any Clock<Duration> = SharedClock()) -> [any Runner] {
        [
            MockLLMRunner(clock: clock), MockASRRunner(clock: clock), MockTTSRunner(clock: clock),
            MockVLMRunner(clock: clock), MockGuardianRunner(clock: clock),
        ]
    }
}
