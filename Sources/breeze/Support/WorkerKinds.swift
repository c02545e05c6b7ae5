import BreezeCore
import BreezeMockRunners
import BreezeWorker

/// The runners that a worker of this program can build, and how one is started.
enum WorkerKinds {
    /// One line a kind. A mock's kind is its id.
    static let registry: WorkerRegistry = {
        var builders: [String: WorkerRegistry.Build] = [:]
        for mock in MockRunners.all() { builders[mock.id] = { _, _ in mock } }
        return WorkerRegistry(builders)
    }()

    static let launch = WorkerLaunch.thisProgram(arguments: ["worker"], version: BreezeVersion.current)
}
