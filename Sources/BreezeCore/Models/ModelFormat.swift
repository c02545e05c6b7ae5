/// How a model's weights are laid out on disk. Written in JSON as its ``name``.
public enum ModelFormat: Hashable, Sendable {
    case gguf
    case safetensors
    case onnx
    case tflite
    case executorch
    case coreML
    case mlx
    case mlc
    case picoLLM
    case whisperGGML
    /// A format that an embedding app brought along, under the name it chose.
    case custom(String)

    private static let known: [(format: ModelFormat, name: String)] = [
        (.gguf, "gguf"), (.safetensors, "safetensors"), (.onnx, "onnx"), (.tflite, "tflite"),
        (.executorch, "pte"), (.coreML, "coreml"), (.mlx, "mlx"), (.mlc, "mlc"), (.picoLLM, "pllm"),
        (.whisperGGML, "whisper-ggml"),
    ]

    public var name: String {
        if case .custom(let name) = self { return name }
        return Self.known.first { $0.format == self }?.name ?? ""
    }

    public init(name: String) {
        self = Self.known.first { $0.name == name }?.format ?? .custom(name)
    }
}

extension ModelFormat: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}
