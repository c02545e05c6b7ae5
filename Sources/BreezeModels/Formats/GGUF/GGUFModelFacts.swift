public import BreezeCore

/// What a GGUF file says of its model.
public struct GGUFModelFacts: Codable, Hashable, Sendable {
    /// How an embedding model makes one vector of many; the names are the format's.
    public enum Pooling: Int, Codable, Sendable {
        case none = 0
        case mean
        case cls
        case last
        case rank

        public var name: String { "\(self)" }
    }

    public var architecture: String
    /// As its publisher writes it.
    public var name: String?
    /// The publisher's word for the number of parameters: `0.6B`, `8x7B`.
    public var sizeLabel: String?
    /// Elements of all tensors.
    public var parameterCount: Int64
    /// `Q4_K_M`; where the file does not say, the type of most of its bytes.
    public var quantization: String
    /// Bytes of all tensors.
    public var weightBytes: Int64
    /// Tokens that the model was trained to take in.
    public var contextLength: Int
    public var embeddingLength: Int
    public var layerCount: Int
    /// Of the first layer that has any; 0 for a model without attention.
    public var headCount: Int
    public var keyValueHeadCount: Int
    /// Elements that the KV cache keeps of one token in all layers; 0 for a model that needs none.
    public var keyElements: Int
    public var valueElements: Int
    public var feedForwardLength: Int
    public var vocabularySize: Int
    /// `gpt2` (byte-level BPE), `llama` (SentencePiece), `bert` (WordPiece), `t5`.
    public var tokenizer: String
    /// How a text is split before merging: `qwen2`.
    public var preTokenizer: String?
    public var hasChatTemplate: Bool
    /// `nil` where the file states none, as chat models do.
    public var pooling: Pooling?
    /// A token sees only what stands before it: the model can continue a text.
    public var isCausal: Bool
    /// What a classifier sorts into; empty for other models.
    public var labels: [String]
    /// An SPDX identifier where it can be told, else the publisher's word.
    public var license: String?

    /// - Throws: ``BreezeError`` `.invalidFile` where the file misses what every model has: ``GGUFCheck`` was
    ///   not asked.
    public init(_ file: GGUFFile) throws {
        let fields = try GGUFFields(file)
        let layers = try fields.required(fields.key("block_count"), 1...512)
        architecture = fields.architecture
        name = try fields.text("general.name")
        sizeLabel = try fields.text("general.size_label")
        parameterCount = file.tensors.reduce(0) { $0 &+ Int64($1.elementCount) }
        weightBytes = file.tensors.reduce(0) { $0 &+ Int64($1.byteCount ?? 0) }
        quantization = Self.quantization(of: file)
        contextLength = try fields.required(fields.key("context_length"), 1...Int(Int32.max))
        embeddingLength = try fields.required(fields.key("embedding_length"), 1...Int(Int32.max))
        layerCount = layers
        let attention = try Attention(fields, layers: layers, width: embeddingLength)
        headCount = attention.heads
        keyValueHeadCount = attention.keyValueHeads
        isCausal = file.metadata[fields.key("attention.causal")]?.boolValue ?? true
        keyElements = isCausal ? attention.keyElements : 0
        valueElements = isCausal ? attention.valueElements : 0
        let feed = fields.key("feed_forward_length")
        feedForwardLength = try fields.integers(feed, 0...Int(Int32.max), layers: layers)?.max() ?? 0
        vocabularySize = try fields.array("tokenizer.ggml.tokens", of: [.string])?.count ?? 0
        tokenizer = try fields.text("tokenizer.ggml.model") ?? ""
        preTokenizer = try fields.text("tokenizer.ggml.pre")
        hasChatTemplate = try fields.text("tokenizer.chat_template") != nil
        pooling = try fields.integer(fields.key("pooling_type"), 0...4).flatMap(Pooling.init)
        labels = try fields.array(fields.key("classifier.output_labels"), of: [.string])?.strings ?? []
        license = try Self.license(fields)
    }

    /// What the model can be asked for.
    public var capabilities: [AICapability] {
        if pooling == .rank { return labels.count > 1 ? [.classification] : [.rerank] }
        let embeds = !isCausal || (pooling ?? .none) != .none
        return embeds ? [.embedding] : [.chat]
    }

    private static func license(_ fields: GGUFFields) throws -> String? {
        let stated = try fields.text("general.license")
        let name =
            stated == nil || stated == "other" ? try fields.text("general.license.name") ?? stated : stated
        return name.flatMap { $0.isEmpty || $0 == "other" ? nil : LicenseReader.canonical($0.excerpt) }
    }

    private static func quantization(of file: GGUFFile) -> String {
        let stated = file.metadata["general.file_type"]?.intValue.flatMap(GGUFFileType.name)
        if let stated { return stated }
        var bytes: [GGMLType: Int] = [:]
        for tensor in file.tensors {
            guard let type = tensor.type else { continue }
            bytes[type, default: 0] &+= tensor.byteCount ?? 0
        }
        // By name where two are equal, so that the answer does not change from run to run.
        let most = bytes.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
        return most?.key.name ?? "unknown"
    }
}

/// The heads of all layers.
private struct Attention {
    var heads = 0
    var keyValueHeads = 0
    var keyElements = 0
    var valueElements = 0

    init(_ fields: GGUFFields, layers: Int, width: Int) throws {
        let key = fields.key("attention.head_count")
        let range = 0...65_536
        guard let counts = try fields.integers(key, range, layers: layers) else { return }
        let shared = try fields.integers("\(key)_kv", range, layers: layers) ?? counts
        heads = counts.first { $0 > 0 } ?? 0
        keyValueHeads = shared.first { $0 > 0 } ?? 0
        let size = heads > 0 ? width / heads : 0
        let all = shared.reduce(0, +)
        keyElements = all * (try fields.integer(fields.key("attention.key_length"), range) ?? size)
        valueElements = all * (try fields.integer(fields.key("attention.value_length"), range) ?? size)
    }
}
