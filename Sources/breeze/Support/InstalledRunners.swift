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
    let settings: EngineSettings
    let environment: [String: String]

    /// A damaged model offers none; `breeze doctor` and `breeze models list` name it.
    func all() throws -> [any Runner] {
        let factories = factories
        let bound = try models.list().models.map(\.info).flatMap { model in
            try factories.filter { $0.canMakeRunner(for: model) }
                .map { try $0.makeRunner(for: model, settings: LoadSettings()) }
        }
        // The router passes mocks over unless a request asks for them.
        return bound + MockRunners.all()
    }

    private var factories: [any RunnerFactory] {
        let (models, environment) = (models, environment)
        let path = settings.onnxRuntimePath
        let encoders = EncoderRunnerFactory(
            library: { try OnnxRuntimeLibrary.locate(explicit: path, environment: environment) },
            assets: { model in
                let files = try await models.files(for: model.id)
                guard let graph = files.graph else { throw Self.incomplete(model, "graph") }
                return EncoderAssets(graph: graph, tokenizer: try Self.tokenizer(of: files))
            }
        )
        return [encoders]
    }

    private static func tokenizer(of files: ModelFiles) throws -> WordPieceTokenizer {
        if let json = files.files["tokenizer.json"] {
            return try WordPieceTokenizer(tokenizerJSON: try Data(contentsOf: json))
        }
        // Without its configuration a vocabulary does not say whether case counts.
        guard let vocabulary = files.files["vocab.txt"],
            let configuration = files.files["tokenizer_config.json"]
        else { throw incomplete(files.manifest.info, "tokenizer") }
        return try WordPieceTokenizer(
            vocabulary: try Data(contentsOf: vocabulary),
            configuration: try Data(contentsOf: configuration)
        )
    }

    private static func incomplete(_ model: ModelInfo, _ what: String) -> BreezeError {
        BreezeError(
            .invalidFile,
            "The installed model \(model.id) has no \(what).",
            remedy: "Remove it with breeze models remove \(model.id) and import it again."
        )
    }
}
