public import BreezeCore

/// Makes the runners of another factory, each in a process of its own.
public struct WorkerRunnerFactory: RunnerFactory {
    /// What the worker builds for a model.
    public typealias Describe = @Sendable (ModelInfo, LoadSettings) throws -> WorkerDescriptor

    private let factory: any RunnerFactory
    private let launch: WorkerLaunch
    private let options: WorkerOptions
    private let describe: Describe

    /// `factory` makes a runner for each model, which is asked for its facts and never loaded here.
    public init(
        hosting factory: any RunnerFactory,
        launch: WorkerLaunch,
        options: WorkerOptions = WorkerOptions(),
        describe: @escaping Describe
    ) {
        self.factory = factory
        self.launch = launch
        self.options = options
        self.describe = describe
    }

    public var backend: String { factory.backend }

    public func canMakeRunner(for model: ModelInfo) -> Bool { factory.canMakeRunner(for: model) }

    public func makeRunner(for model: ModelInfo, settings: LoadSettings) throws -> any Runner {
        WorkerRunner(
            WorkerFacts(of: try factory.makeRunner(for: model, settings: settings)),
            descriptor: try describe(model, settings),
            launch: launch,
            options: options
        )
    }
}
