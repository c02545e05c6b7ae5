import BreezeCore
import Foundation

/// A folder in Hugging Face's layout with weights in safetensors, in one file or in shards; MLX's is the same
/// with weights of its own.
struct HuggingFaceFolder {
    let url: URL
    let configuration: ConfigurationFile?
    private let tokenizerConfiguration: ConfigurationFile?
    /// Weight files by name, those that are there.
    let shards: [(name: String, file: SafetensorsFile)]
    let missing: [String]

    static let weights = "model.safetensors"

    static func hasWeights(_ url: URL) -> Bool {
        [weights, SafetensorsIndex.name].contains {
            FileManager.default.fileExists(atPath: url.appending(path: $0).path)
        }
    }

    init(_ url: URL) throws {
        self.url = url
        configuration = try ConfigurationFile(optional: url.appending(path: "config.json"))
        tokenizerConfiguration = try ConfigurationFile(optional: url.appending(path: "tokenizer_config.json"))
        let index = url.appending(path: SafetensorsIndex.name)
        guard FileManager.default.fileExists(atPath: index.path) else {
            let file = try SafetensorsFile(url: url.appending(path: Self.weights))
            (shards, missing) = ([(Self.weights, file)], [])
            return
        }
        (shards, missing) = try Self.shards(SafetensorsIndex(index), in: url)
    }

    /// Opens what is there, and checks that each shard has the tensors that the list promises.
    static func shards(
        _ index: SafetensorsIndex,
        in url: URL
    ) throws -> (shards: [(name: String, file: SafetensorsFile)], missing: [String]) {
        var (shards, missing): ([(name: String, file: SafetensorsFile)], [String]) = ([], [])
        for name in Set(index.files.values).sorted() {
            guard ModelFolder.size(of: name, in: url) != nil else {
                missing.append(name)
                continue
            }
            shards.append((name, try SafetensorsFile(url: url.appending(path: name))))
        }
        let files = Dictionary(uniqueKeysWithValues: shards.map { ($0.name, $0.file) })
        for (tensor, name) in index.files {
            guard let file = files[name], file.tensors[tensor] == nil else { continue }
            throw BreezeError(
                .invalidFile,
                "\(file.url.path) has no tensor \"\(tensor.excerpt)\", which the list of shards promises.",
                remedy: "Fetch both files again: they are of different editions."
            )
        }
        return (shards, missing)
    }

    /// Weights quantised by MLX, or written by it.
    var isMLX: Bool {
        quantizationOfMLX != nil || shards.contains { $0.file.metadata["format"] == "mlx" }
    }

    /// Bits and the number of weights that share a scale.
    var quantizationOfMLX: (bits: Int, groupSize: Int)? {
        guard let tree = configuration?.tree["quantization"], let bits = tree["bits"]?.intValue,
            let group = tree["group_size"]?.intValue, (1...32).contains(bits), (1...65_536).contains(group)
        else { return nil }
        return (bits, group)
    }

    /// What the configuration and the files beside it state.
    func describe(_ metadata: inout ModelMetadata) {
        let tree = configuration?.tree
        metadata.architecture = tree?["model_type"]?.stringValue
        metadata.modelType = tree?["architectures"]?.arrayValue?.first?.stringValue
        metadata.contextLength = contextLength
        metadata.tokenizer = tokenizer
        metadata.hasChatTemplate = hasChatTemplate
        metadata.license = LicenseReader.license(in: url)
        metadata.name = tree?["_name_or_path"]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        metadata.capabilities = capabilities
        for key in ["transformers_version", "torch_dtype", "dtype", "vocab_size", "hidden_size"] {
            if let value = tree?[key], value != .null { metadata.extra[key] = value }
        }
        metadata.size += ModelFolder.size(of: SafetensorsIndex.name, in: url) ?? 0
        for name in Self.companions { metadata.size += ModelFolder.size(of: name, in: url) ?? 0 }
    }

    private static let companions = [
        "config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json",
        "tokenizer.model", "vocab.txt", "vocab.json", "merges.txt", "special_tokens_map.json",
        "chat_template.jinja", "chat_template.json", "preprocessor_config.json", "modules.json",
        "sentence_bert_config.json",
    ]

    private var contextLength: Int? {
        let keys = ["max_position_embeddings", "n_positions", "n_ctx", "max_sequence_length", "seq_length"]
        let trees = [configuration?.tree, configuration?.tree["text_config"]].compactMap { $0 }
        for tree in trees {
            for key in keys {
                if let length = tree[key]?.intValue, length > 0 { return length }
            }
        }
        return nil
    }

    private var tokenizer: String? {
        if let name = tokenizerConfiguration?.tree["tokenizer_class"]?.stringValue { return name }
        if has("vocab.txt") { return "WordPiece" }
        return has("tokenizer.model") ? "SentencePiece" : nil
    }

    private var hasChatTemplate: Bool {
        tokenizerConfiguration?.has("chat_template") == true || has("chat_template.jinja")
            || has("chat_template.json")
    }

    /// By the class that its configuration names, which says what head the model ends in. One that continues
    /// texts can chat only where somebody says how a conversation is written down.
    private var capabilities: [AICapability] {
        let kind = configuration?.tree["architectures"]?.arrayValue?.first?.stringValue ?? ""
        let architecture = configuration?.tree["model_type"]?.stringValue ?? ""
        if kind == "WhisperForConditionalGeneration" { return [.asr] }
        if kind.hasSuffix("ForSequenceClassification") {
            return labelCount == 1 ? [.rerank] : [.classification]
        }
        if kind.hasSuffix("ForCausalLM"), hasChatTemplate { return [.chat] }
        if kind.hasSuffix("ForConditionalGeneration"), configuration?.has("vision_config") == true,
            hasChatTemplate
        {
            return [.chat, .vlm]
        }
        // sentence-transformers says how the tokens' vectors become one.
        if has("modules.json"), has("1_Pooling/config.json"), !architecture.isEmpty { return [.embedding] }
        return []
    }

    private var labelCount: Int? {
        configuration?.tree["num_labels"]?.intValue
            ?? configuration?.tree["id2label"]?.objectValue?.count
    }

    private func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: name).path)
    }
}
