public import BreezeCore
public import Foundation

/// Reads MLC's folders: `mlc-chat-config.json`, and the list of weight shards beside it.
public struct MLCMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.mlc]

    /// The second is what newer releases of MLC call it.
    private static let lists = ["ndarray-cache.json", "tensor-cache.json"]
    private static let configuration = "mlc-chat-config.json"

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        let chat = try ConfigurationFile(url.appending(path: Self.configuration))
        var metadata = ModelMetadata(format: .mlc)
        metadata.size = ModelFolder.size(of: Self.configuration, in: url) ?? 0
        let model = chat.tree["model_config"]
        metadata.architecture = chat.tree["model_type"]?.stringValue
        metadata.quantization = chat.tree["quantization"]?.stringValue
        let lengths = [chat.tree["context_window_size"], model?["context_window_size"]]
        // -1 stands for a sliding window, which has no end.
        metadata.contextLength = lengths.compactMap { $0?.intValue }.first { $0 > 0 }
        metadata.hasChatTemplate = chat.has("conv_template")
        if chat.has("conv_template") { metadata.capabilities = [.chat] }
        metadata.version = chat.tree["version"]?.stringValue
        metadata.license = LicenseReader.license(in: url)
        let files = chat.tree["tokenizer_files"]?.arrayValue?.compactMap(\.stringValue) ?? []
        metadata.tokenizer = files.contains("tokenizer.model") ? "SentencePiece" : nil
        for name in files {
            guard ModelFolder.isInside(name) else { throw chat.invalid("a tokenizer file lies outside it") }
            add(name, of: url, atLeast: 0, &metadata)
        }
        for key in ["conv_template", "vocab_size", "prefill_chunk_size", "sliding_window_size"] {
            guard let value = chat.tree[key], value != .null else { continue }
            // Newer releases spell the template out.
            metadata.extra[key] = value["name"] ?? value
        }
        try addShards(of: url, &metadata)
        return metadata
    }

    private func addShards(of url: URL, _ metadata: inout ModelMetadata) throws {
        let lists = try Self.lists.compactMap { try ConfigurationFile(optional: url.appending(path: $0)) }
        guard let list = lists.first else { return metadata.missingPieces.append(Self.lists[0]) }
        metadata.size += ModelFolder.size(of: list.url.lastPathComponent, in: url) ?? 0
        guard let shards = list.tree["records"]?.arrayValue else { throw list.invalid("it lists no shards") }
        var (tensors, bytes) = (0, 0)
        for shard in shards {
            guard let name = shard["dataPath"]?.stringValue, ModelFolder.isInside(name),
                let size = shard["nbytes"]?.intValue, size >= 0
            else { throw list.invalid("a shard has no path within the folder, or no size") }
            tensors += shard["records"]?.arrayValue?.count ?? 0
            bytes = bytes.addingOrMost(size)
            add(name, of: url, atLeast: size, &metadata)
        }
        metadata.tensorCount = tensors
        metadata.memoryEstimate = Int64(bytes)
        let totals = list.tree["metadata"]
        if let stored = totals?["ParamBytes"]?.doubleValue, let bits = totals?["BitsPerParam"]?.doubleValue,
            bits > 0, stored * 8 / bits < 1e15, stored > 0
        {
            metadata.parameterCount = Int64((stored * 8 / bits).rounded())
        }
    }

    private func add(_ name: String, of url: URL, atLeast least: Int, _ metadata: inout ModelMetadata) {
        let size = ModelFolder.size(of: name, in: url)
        metadata.size += size ?? 0
        if size.map({ $0 < least }) ?? true { metadata.missingPieces.append(name) }
    }
}
