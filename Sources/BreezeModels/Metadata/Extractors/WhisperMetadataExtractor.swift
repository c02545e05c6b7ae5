public import BreezeCore
public import Foundation

/// Reads whisper.cpp's model files.
public struct WhisperMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.whisperGGML]

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        try FormatFault.naming(url, "Whisper model") {
            let file = try PagedFile(url: url)
            let model = try WhisperFile(file)
            var metadata = ModelMetadata(format: .whisperGGML, size: Int64(file.size))
            let header = model.header
            metadata.architecture = "whisper"
            metadata.capabilities = [.asr]
            metadata.name = header.sizeName.map { "Whisper \($0)\(header.isMultilingual ? "" : ".en")" }
            metadata.quantization = header.quantization
            metadata.contextLength = header.textContext
            metadata.tensorCount = model.tensorCount
            metadata.parameterCount = model.parameterCount
            metadata.memoryEstimate = model.weightBytes
            metadata.tokenizer = "gpt2"
            metadata.extra = [
                "isMultilingual": .bool(header.isMultilingual),
                "vocabularySize": .integer(header.vocabularySize), "melBands": .integer(header.melBands),
                "audioContext": .integer(header.audioContext), "audioLayers": .integer(header.audioLayers),
                "textLayers": .integer(header.textLayers), "audioWidth": .integer(header.audioWidth),
                "textWidth": .integer(header.textWidth),
            ]
            return metadata
        }
    }
}
