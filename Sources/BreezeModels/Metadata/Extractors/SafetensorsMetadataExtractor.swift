public import BreezeCore
public import Foundation

/// Reads safetensors: a single file, the list of a model's shards, or a folder in Hugging Face's layout.
public struct SafetensorsMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.safetensors]

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        if HuggingFaceFolder.hasWeights(url) {
            return Self.metadata(of: try HuggingFaceFolder(url), as: .safetensors)
        }
        guard try FormatDetector.detect(file: url).layout == .folder else { return try metadata(ofFile: url) }
        let folder = url.deletingLastPathComponent()
        let (shards, missing) = try HuggingFaceFolder.shards(SafetensorsIndex(url), in: folder)
        return Self.metadata(of: shards, missing: missing, as: .safetensors)
    }

    static func metadata(of folder: HuggingFaceFolder, as format: ModelFormat) -> ModelMetadata {
        let group = format == .mlx ? folder.quantizationOfMLX : nil
        var metadata = metadata(
            of: folder.shards,
            missing: folder.missing,
            as: format,
            groupSize: group?.groupSize
        )
        folder.describe(&metadata)
        if let group {
            metadata.quantization = "\(group.bits)-bit"
            metadata.extra["groupSize"] = .integer(group.groupSize)
        } else if let named = folder.configuration?.tree["quantization_config"] {
            let method = named["quant_method"]?.stringValue
            let bits = named["bits"]?.intValue.map { "\($0)-bit" }
            let words = [method, bits].compactMap { $0 }
            if !words.isEmpty { metadata.quantization = words.joined(separator: " ") }
        }
        return metadata
    }

    private static func metadata(
        of shards: [(name: String, file: SafetensorsFile)],
        missing: [String],
        as format: ModelFormat,
        groupSize: Int? = nil
    ) -> ModelMetadata {
        var metadata = ModelMetadata(format: format)
        let totals = WeightTotals(shards.map(\.file), groupSize: groupSize)
        metadata.missingPieces = missing
        metadata.quantization = totals.mainType
        metadata.size = shards.reduce(0) { $0 + Int64($1.file.fileSize) }
        if missing.isEmpty {
            metadata.tensorCount = totals.tensors
            metadata.parameterCount = Int64(totals.parameters)
            metadata.memoryEstimate = Int64(totals.bytes)
        }
        for shard in shards {
            for (key, value) in shard.file.metadata.prefix(256) { metadata.extra[key] = .string(value) }
        }
        return metadata
    }

    /// One file, which may be a shard; the others are looked for beside it.
    private func metadata(ofFile url: URL) throws -> ModelMetadata {
        let folder = url.deletingLastPathComponent()
        let name = url.lastPathComponent
        let pieces = PieceName(name)?.all ?? [name]
        var (shards, missing): ([(name: String, file: SafetensorsFile)], [String]) = ([], [])
        for piece in pieces {
            if piece == name || ModelFolder.size(of: piece, in: folder) != nil {
                let file = piece == name ? url : folder.appending(path: piece)
                shards.append((piece, try SafetensorsFile(url: file)))
            } else {
                missing.append(piece)
            }
        }
        return Self.metadata(of: shards, missing: missing, as: .safetensors)
    }
}
