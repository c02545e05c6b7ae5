import BreezeCore
import BreezeLlamaRunner
import BreezeMockRunners
import BreezeWorker
import Foundation

/// The runners that a worker of this program can build, and how one is started.
enum WorkerKinds {
    static let llama = "llama"

    /// One line a kind. A mock's kind is its id.
    static let registry: WorkerRegistry = {
        var builders: [String: WorkerRegistry.Build] = [:]
        for mock in MockRunners.all() { builders[mock.id] = { _, _ in mock } }
        builders[llama] = { descriptor, _ in
            guard let model = descriptor.model, let path = descriptor.path else {
                throw BreezeError(.invalidRequest, "A worker for llama needs a model and its file.")
            }
            return LlamaRunner(model: model, file: URL(filePath: path), settings: descriptor.settings)
        }
        return WorkerRegistry(builders)
    }()

    static let launch = WorkerLaunch.thisProgram(arguments: ["worker"], version: BreezeVersion.current)
}
