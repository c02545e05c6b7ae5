import BreezeCore
import BreezeEncoderRunner
import BreezeLiteRT
import BreezeModels
import BreezeOnnxRuntime
import BreezeTestSupport
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
    func runner(
        liteRT: @escaping @Sendable () throws -> LiteRTLibrary = Self.liteRT,
        onnxRuntime: @escaping @Sendable () throws -> OnnxRuntimeLibrary = Self.onnxRuntime,
        workers: Int = 2,
        settings: LoadSettings = LoadSettings()
    ) throws -> any Runner {
        let runtimes = EncoderRuntimes(
            liteRT: { [folder] in
                _ = folder  // removed with its last user
                return try liteRT()
            },
            onnxRuntime: onnxRuntime,
            workers: { workers }
        )
        let factory = EncoderRunnerFactory(store: store, runtimes: runtimes)
        #expect(factory.canMakeRunner(for: info))
        return try factory.makeRunner(for: info, settings: settings)
    }

    static let liteRT: @Sendable () throws -> LiteRTLibrary = {
        try LiteRTLibrary.locate(environment: ProcessInfo.processInfo.environment)
    }
    static let onnxRuntime: @Sendable () throws -> OnnxRuntimeLibrary = {
        try OnnxRuntimeLibrary.locate(environment: ProcessInfo.processInfo.environment)
    }
    /// As it is where nobody ran `make setup`.
    static let noLiteRT: @Sendable () throws -> LiteRTLibrary = {
        try LiteRTLibrary.locate(environment: ["LITERT_LIB": "/nowhere/libLiteRt.so"])
    }
    static let noOnnxRuntime: @Sendable () throws -> OnnxRuntimeLibrary = {
        try OnnxRuntimeLibrary.locate(environment: ["ORT_DYLIB_PATH": "/nowhere.so"])
    }
}

extension Trait where Self == ConditionTrait {
    static var needsRuntime: Self {
        let isPresent =
            (try? InstalledEncoder.onnxRuntime()) != nil && (try? InstalledEncoder.liteRT()) != nil
        return .enabled(if: isPresent, "LiteRT or ONNX Runtime is not installed: run make setup")
    }

    static var needsMiniLM: Self {
        .enabled(
            if: Oracle.miniLM != nil && Oracle.python != nil,
            "all-MiniLM-L6-v2 or the Python test tools are not in the cache: run make setup"
        )
    }
}
