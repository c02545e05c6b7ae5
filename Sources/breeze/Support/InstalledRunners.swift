import BreezeCore
import BreezeEncoderRunner
import BreezeEngine
import BreezeMockRunners
import BreezeModels
import BreezeOnnxRuntime
import BreezeTokenizers
import Foundation

/// Every runner that this program can offer on this device. The one list of concrete runners.
struct InstalledRunners: Sendable {
    let models: ModelStore
    let settings: SettingsStore
    let environment: [String: String]

    func all() throws -> [any Runner] {
        let factories = factories
        let listing = try models.list()
        let bound = try listing.models.map(\.info).flatMap { model in
            try factories.filter { $0.canMakeRunner(for: model) }
                .map { try $0.makeRunner(for: model, settings: LoadSettings()) }
        }
        // The router passes mocks over unless a request asks for them.
        return bound + listing.damaged.map(DamagedModelRunner.init) + MockRunners.all()
    }

    private var factories: [any RunnerFactory] {
        let (models, settings, environment) = (models, settings, environment)
        let encoders = EncoderRunnerFactory(
            library: {
                // The path may be set while the program runs.
                let path = try settings.current().onnxRuntimePath
                return try OnnxRuntimeLibrary.locate(explicit: path, environment: environment)
            },
            assets: { model in
                let files = try await models.files(for: model.id)
                guard let graph = files.graph else {
                    throw BreezeError(
                        .invalidFile,
                        "The installed model \(model.id) has no graph.",
                        remedy: "Remove it with breeze models remove \(model.id) and import it again."
                    )
                }
                return EncoderAssets(
                    graph: graph,
                    tokenizer: try WordPieceTokenizer(files: files.files),
                    lowercasesFirst: files.manifest.encoder?.lowercasesFirst ?? false
                )
            }
        )
        return [encoders]
    }
}
