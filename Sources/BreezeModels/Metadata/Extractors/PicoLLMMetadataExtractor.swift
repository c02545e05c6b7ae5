public import BreezeCore
public import Foundation

/// Takes note of a picoLLM model. Its format is Picovoice's own and undescribed: neither a signature nor any
/// field of it is publicly known, so that nothing but the file's size can be said.
public struct PicoLLMMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.picoLLM]

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        var metadata = ModelMetadata(format: .picoLLM, size: Int64(try FileReader(url: url).size))
        metadata.extra["evidence"] = .string(DetectedModel.Evidence.fileName.rawValue)
        return metadata
    }
}
