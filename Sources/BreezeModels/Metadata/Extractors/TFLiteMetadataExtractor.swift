public import BreezeCore
public import Foundation

/// Reads TensorFlow Lite (LiteRT) models.
public struct TFLiteMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.tflite]

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        try FormatFault.naming(url, "TensorFlow Lite model") {
            let file = try PagedFile(url: url)
            guard file.size >= 8, try file.bytes(4..<8) == Array("TFL3".utf8) else {
                throw FormatFault("TFL3 does not stand at byte 4")
            }
            let model = try TFLiteFile(file)
            var metadata = ModelMetadata(format: .tflite, size: Int64(file.size))
            // What callers name are the signature's inputs; models without one have only tensors' names.
            let signature = model.signatures.count == 1 ? model.signatures.first : nil
            metadata.inputs = signature?.inputs ?? model.inputs
            metadata.outputs = signature?.outputs ?? model.outputs
            metadata.tensorCount = model.tensorCount
            metadata.parameterCount = Int64(model.parameterCount)
            metadata.memoryEstimate = Int64(model.weightBytes)
            metadata.quantization = WeightType.main(model.bytesByType, name: TFLiteSubgraph.typeName)
            metadata.name = model.metadata?.name
            metadata.author = model.metadata?.author
            metadata.version = model.metadata?.version
            metadata.license = model.metadata?.license
            metadata.description =
                model.metadata?.description ?? (model.description.isEmpty ? nil : model.description)
            for name in model.externalFiles where ModelFolder.isInside(name) {
                let size = ModelFolder.size(of: name, in: url.deletingLastPathComponent())
                metadata.size += size ?? 0
                if size == nil { metadata.missingPieces.append(name) }
            }
            addExtra(model, &metadata)
            return metadata
        }
    }

    private func addExtra(_ model: TFLiteFile, _ metadata: inout ModelMetadata) {
        metadata.extra["schemaVersion"] = .integer(model.version)
        if !model.signatures.isEmpty {
            metadata.extra["signatures"] = .array(model.signatures.map { .string($0.key) })
        }
        if !model.entries.isEmpty {
            metadata.extra["metadata"] = .array(model.entries.map(JSONValue.string))
        }
        if let files = model.metadata?.associatedFiles, !files.isEmpty {
            metadata.extra["associatedFiles"] = .array(files.map(JSONValue.string))
        }
    }
}
