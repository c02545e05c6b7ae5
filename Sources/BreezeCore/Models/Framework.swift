/// A runtime that executes models. Written in JSON as its ``name``.
public enum Framework: Hashable, Sendable {
    case onnxRuntime
    case liteRT
    case llamaCpp
    case mlx
    case executorch
    case coreML
    case foundationModels
    case swiftTransformers
    case picoLLM
    case mlc
    /// A framework that an embedding app brought along, under the name it chose.
    case custom(String)

    private static let known: [(framework: Framework, name: String, displayName: String)] = [
        (.onnxRuntime, "onnxruntime", "ONNX Runtime"), (.liteRT, "litert", "LiteRT"),
        (.llamaCpp, "llama.cpp", "llama.cpp"), (.mlx, "mlx", "MLX"),
        (.executorch, "executorch", "ExecuTorch"), (.coreML, "coreml", "Core ML"),
        (.foundationModels, "foundation-models", "Foundation Models"),
        (.swiftTransformers, "swift-transformers", "Swift Transformers"), (.picoLLM, "picollm", "picoLLM"),
        (.mlc, "mlc", "MLC LLM"),
    ]

    public var name: String {
        if case .custom(let name) = self { return name }
        return Self.known.first { $0.framework == self }?.name ?? ""
    }

    /// The name that its makers write, for people to read.
    public var displayName: String {
        if case .custom(let name) = self { return name }
        return Self.known.first { $0.framework == self }?.displayName ?? ""
    }

    public init(name: String) {
        self = Self.known.first { $0.name == name }?.framework ?? .custom(name)
    }
}

extension Framework: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
