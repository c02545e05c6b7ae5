public import BreezeCore
public import BreezeLiteRT
public import BreezeModels
public import BreezeOnnxRuntime
public import Foundation

/// How the encoder's runtimes are found. Each closure is called when a model loads and not before: a program
/// that embeds nothing opens no runtime.
public struct EncoderRuntimes: Sendable {
    public var liteRT: @Sendable () throws -> LiteRTLibrary
    public var onnxRuntime: @Sendable () throws -> OnnxRuntimeLibrary
    /// Threads that encode at the same time, at most.
    public var workers: @Sendable () -> Int

    public init(
        liteRT: @escaping @Sendable () throws -> LiteRTLibrary,
        onnxRuntime: @escaping @Sendable () throws -> OnnxRuntimeLibrary,
        workers: @escaping @Sendable () -> Int = { ProcessInfo.processInfo.activeProcessorCount }
    ) {
        self.liteRT = liteRT
        self.onnxRuntime = onnxRuntime
        self.workers = workers
    }
}

/// Makes the runners of installed text encoders.
public struct EncoderRunnerFactory: RunnerFactory {
    public let backend = "encoder"
    private let store: ModelStore
    private let runtimes: EncoderRuntimes

    public init(store: ModelStore, runtimes: EncoderRuntimes) {
        self.store = store
        self.runtimes = runtimes
    }

    public func canMakeRunner(for model: ModelInfo) -> Bool {
        model.format == .safetensors && !EncoderRunner.capabilities(of: model).isEmpty
            && !Set(model.frameworks).isDisjoint(with: [.liteRT, .onnxRuntime])
    }

    public func makeRunner(for model: ModelInfo, settings: LoadSettings) throws -> any Runner {
        EncoderRunner(model: model, settings: settings, store: store, runtimes: runtimes)
    }
}
