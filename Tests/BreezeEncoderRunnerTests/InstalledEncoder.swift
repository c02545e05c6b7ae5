import BreezeCore
import BreezeEncoderRunner
import BreezeModels
import BreezeOnnxRuntime
import BreezeTestSupport
import BreezeTokenizers
import Foundation
import Testing

/// An encoder that was imported into a store of its own, as a user's would be.
struct InstalledEncoder {
    let folder: ScratchFolder
    let store: ModelStore
    let info: ModelInfo

    init(from directory: URL, in folder: ScratchFolder) async throws {
        self.folder = folder
        store = ModelStore(home: folder.url.appending(path: "home"))
        info = try await store.importModel(from: directory).manifest.info
    }

    static func tiny(_ bert: TinyBERT = TinyBERT()) async throws -> InstalledEncoder {
        let folder = try ScratchFolder()
        return try await InstalledEncoder(from: try bert.write(to: folder), in: folder)
    }

    /// The runner, as the program composes it.
    func runner(environment: [String: String] = ProcessInfo.processInfo.environment) throws -> any Runner {
        let factory = EncoderRunnerFactory(
            library: { try OnnxRuntimeLibrary.locate(environment: environment) },
            assets: { [folder, store] model in
                _ = folder  // removed with its last user
                let files = try await store.files(for: model.id)
                let graph = try #require(files.graph)
                return EncoderAssets(graph: graph, tokenizer: try WordPieceTokenizer(files: files.files))
            }
        )
        #expect(factory.canMakeRunner(for: info))
        return try factory.makeRunner(for: info, settings: LoadSettings())
    }
}

extension Trait where Self == ConditionTrait {
    static var needsRuntime: Self {
        let isPresent =
            (try? OnnxRuntimeLibrary.locate(environment: ProcessInfo.processInfo.environment)) != nil
        return .enabled(if: isPresent, "ONNX Runtime is not installed: run make setup")
    }

    static var needsMiniLM: Self {
        .enabled(
            if: Oracle.miniLM != nil && Oracle.python != nil,
            "all-MiniLM-L6-v2 or the Python test tools are not in the cache: run make setup"
        )
    }
}
