public import BreezeCore

extension ModelMetadata {
    /// What the catalog and the store keep of a model.
    /// - Parameters:
    ///   - id: the model's id within the store.
    ///   - source: an address, a package's name, or a folder.
    ///   - digest: SHA-256 of the weights, 64 lower-case hexadecimal digits.
    /// - Returns: a description that is empty where the metadata is.
    public func modelInfo(id: String, source: String? = nil, digest: String? = nil) -> ModelInfo {
        ModelInfo(
            id: id,
            name: name.map(\.excerpt),
            format: format,
            frameworks: frameworks,
            capabilities: capabilities,
            architecture: architecture?.excerpt,
            size: size,
            estimatedMemory: memoryEstimate,
            contextLength: contextLength,
            parameterCount: parameterCount,
            quantization: quantization?.excerpt,
            // A whole licence text, as Core ML models carry it, is no name of one.
            license: license.flatMap { $0.count <= 80 ? $0.excerpt : nil },
            source: source,
            digest: digest
        )
    }

    /// Who runs the format; empty where that depends on the architecture, as with bare safetensors.
    private var frameworks: [Framework] {
        switch format {
        case .gguf: [.llamaCpp]
        case .onnx: [.onnxRuntime]
        case .tflite: [.liteRT]
        case .executorch: [.executorch]
        case .coreML: [.coreML]
        case .mlx: [.mlx]
        case .mlc: [.mlc]
        case .picoLLM: [.picoLLM]
        case .whisperGGML: [.custom("whisper.cpp")]
        case .safetensors, .custom: []
        }
    }
}
