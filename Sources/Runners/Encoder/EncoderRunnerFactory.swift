public import BreezeCore
public import BreezeOnnxRuntime
public import BreezeTokenizers
public import Foundation

/// The files of one encoder, opened when its runner loads.
public struct EncoderAssets: Sendable {
    /// An ONNX graph from `input_ids`, `attention_mask` and `token_type_ids` (int64, `[batch, sequence]`) to
    /// `sentence_embedding` (float, `[batch, width]`).
    public let graph: URL
    public let tokenizer: WordPieceTokenizer
    /// Whether the model's publisher lowers the case of a text before it is tokenized.
    public let lowercasesFirst: Bool

    public init(graph: URL, tokenizer: WordPieceTokenizer, lowercasesFirst: Bool = false) {
        self.graph = graph
        self.tokenizer = tokenizer
        self.lowercasesFirst = lowercasesFirst
    }
}

/// Makes the runners of installed text encoders.
public struct EncoderRunnerFactory: RunnerFactory {
    public let backend = "encoder"
    private let library: @Sendable () throws -> OnnxRuntimeLibrary
    private let assets: @Sendable (ModelInfo) async throws -> EncoderAssets

    /// Both closures are called when a runner needs them and not before: a program that embeds nothing opens
    /// no runtime.
    public init(
        library: @escaping @Sendable () throws -> OnnxRuntimeLibrary,
        assets: @escaping @Sendable (ModelInfo) async throws -> EncoderAssets
    ) {
        self.library = library
        self.assets = assets
    }

    public func canMakeRunner(for model: ModelInfo) -> Bool {
        model.capabilities.contains(.embedding) && model.frameworks.contains(.onnxRuntime)
    }

    public func makeRunner(for model: ModelInfo, settings: LoadSettings) throws -> any Runner {
        let assets = self.assets
        return EncoderRunner(model: model, settings: settings, library: library) { try await assets(model) }
    }
}
