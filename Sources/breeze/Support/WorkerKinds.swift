import BreezeCore
import BreezeLlamaRunner
import BreezeMockRunners
import BreezeWorker

/// The runners that a worker of this program can build, and how one is started.
enum WorkerKinds {
    static let llama = "llama"

    /// One line a kind. A mock's kind is its id.
    static let registry: WorkerRegistry = {
        var builders: [String: WorkerRegistry.Build] = [:]
        for mock in MockRunners.all() { builders[mock.id] = { _ in mock } }
        builders[llama] = { descriptor in
            let (model, file) = try descriptor.modelFile()
            return LlamaRunner(model: model, file: file, settings: descriptor.settings)
        }
        return WorkerRegistry(builders)
    }()

    static let launch = WorkerLaunch.thisProgram(arguments: ["worker"], version: BreezeVersion.current)
}
