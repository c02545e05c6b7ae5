/// Makes the runners of one backend.
public protocol RunnerFactory: Sendable {
    /// The first part of the ids of the runners it makes.
    var backend: String { get }

    /// Whether the backend understands the model's format and architecture. Says nothing of what is
    /// installed: that is the runner's ``Runner/availability()``.
    func canMakeRunner(for model: ModelInfo) -> Bool

    /// Makes a runner that is not loaded yet.
    func makeRunner(for model: ModelInfo, settings: LoadSettings) throws -> any Runner
}
