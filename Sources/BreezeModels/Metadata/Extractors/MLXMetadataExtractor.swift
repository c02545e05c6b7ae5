public import BreezeCore
public import Foundation

/// Reads MLX's folders: Hugging Face's layout, with weights that MLX quantised or wrote.
public struct MLXMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.mlx]

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        SafetensorsMetadataExtractor.metadata(of: try HuggingFaceFolder(url), as: .mlx)
    }
}
