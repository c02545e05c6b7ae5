package import Foundation

/// A BERT of a few thousand seeded weights, written as a model folder in the layout of Hugging Face.
package struct TinyBERT {
    package var seed: UInt64 = 1
    package var width = 16
    package var layers = 2
    package var heads = 4
    package var intermediate = 24
    package var positions = 32
    package var activation = "gelu"
    /// `nil` leaves the sentence-transformers files out.
    package var pooling: String? = "mean_tokens"
    package var normalizes = true
    package var prefix = ""
    /// Widens the weights: with larger ones, attention is far from uniform and a wrong scale shows.
    package var spread: Float = 0.5
    package static let defaultWords = [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "a", "mail", "sun", "##s", "##ny", ".",
    ]
    /// Members of `config.json` to replace, as JSON text; an empty one leaves the key out.
    package var overrides: [String: String] = [:]
    package var words = Self.defaultWords
    /// Called on each tensor before it is written; `nil` leaves it out.
    package var edit: @Sendable (String, [Int]) -> [Int]? = { $1 }

    package init(
        seed: UInt64 = 1,
        width: Int = 16,
        layers: Int = 2,
        heads: Int = 4,
        intermediate: Int = 24,
        positions: Int = 32,
        activation: String = "gelu",
        pooling: String? = "mean_tokens",
        normalizes: Bool = true,
        prefix: String = "",
        spread: Float = 0.5,
        overrides: [String: String] = [:],
        words: [String] = Self.defaultWords,
        edit: @escaping @Sendable (String, [Int]) -> [Int]? = { $1 }
    ) {
        self.seed = seed
        self.width = width
        self.layers = layers
        self.heads = heads
        self.intermediate = intermediate
        self.positions = positions
        self.activation = activation
        self.pooling = pooling
        self.normalizes = normalizes
        self.prefix = prefix
        self.spread = spread
        self.overrides = overrides
        self.words = words
        self.edit = edit
    }

    package var config: String {
        var members = [
            "model_type": "\"bert\"", "hidden_size": "\(width)", "num_hidden_layers": "\(layers)",
            "num_attention_heads": "\(heads)", "intermediate_size": "\(intermediate)",
            "hidden_act": "\"\(activation)\"", "layer_norm_eps": "1e-12",
            "max_position_embeddings": "\(positions)", "type_vocab_size": "2",
            "vocab_size": "\(words.count)",
        ]
        members.merge(overrides) { $1 }
        let text = members.filter { $0.value != "" }.sorted { $0.key < $1.key }
        return "{" + text.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }

    package var weights: [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var builder = SafetensorsBuilder()
        for (name, shape) in tensors {
            guard let edited = edit(name, shape) else { continue }
            let center: Float = name.hasSuffix("LayerNorm.weight") ? 1 : 0
            let values = (0..<edited.reduce(1, *)).map { _ in
                center + Float.random(in: -spread...spread, using: &generator)
            }
            builder.add(prefix + name, edited, values)
        }
        return builder.bytes
    }

    private var tensors: [(String, [Int])] {
        var list: [(String, [Int])] = [
            ("embeddings.word_embeddings.weight", [words.count, width]),
            ("embeddings.position_embeddings.weight", [positions, width]),
            ("embeddings.token_type_embeddings.weight", [2, width]),
            ("embeddings.LayerNorm.weight", [width]), ("embeddings.LayerNorm.bias", [width]),
        ]
        for layer in 0..<layers {
            func linear(_ name: String, _ from: Int, _ to: Int) {
                list.append(("encoder.layer.\(layer).\(name).weight", [to, from]))
                list.append(("encoder.layer.\(layer).\(name).bias", [to]))
            }
            for part in ["query", "key", "value"] { linear("attention.self.\(part)", width, width) }
            linear("attention.output.dense", width, width)
            linear("intermediate.dense", width, intermediate)
            linear("output.dense", intermediate, width)
            for part in ["attention.output.LayerNorm", "output.LayerNorm"] {
                list.append(("encoder.layer.\(layer).\(part).weight", [width]))
                list.append(("encoder.layer.\(layer).\(part).bias", [width]))
            }
        }
        return list
    }

    package func write(to folder: ScratchFolder, under name: String = "tiny-bert") throws -> URL {
        try folder.write("\(name)/config.json", config)
        try folder.write("\(name)/model.safetensors", weights)
        try folder.write("\(name)/vocab.txt", words.joined(separator: "\n") + "\n")
        try folder.write(
            "\(name)/tokenizer_config.json",
            #"{"do_lower_case": true, "tokenizer_class": "BertTokenizer"}"#
        )
        if let pooling { try writeModules(to: folder, under: name, pooling: pooling) }
        return folder.url.appending(path: name)
    }

    private func writeModules(to folder: ScratchFolder, under name: String, pooling: String) throws {
        let kinds =
            [("", "Transformer"), ("1_Pooling", "Pooling")]
            + (normalizes ? [("2_Normalize", "Normalize")] : [])
        let modules = kinds.enumerated().map { index, kind in
            #"{"idx": \#(index), "path": "\#(kind.0)", "type": "sentence_transformers.models.\#(kind.1)"}"#
        }
        try folder.write("\(name)/modules.json", "[\(modules.joined(separator: ","))]")
        let modes = ["cls_token", "mean_tokens", "max_tokens", "mean_sqrt_len_tokens"].map {
            #""pooling_mode_\#($0)": \#($0 == pooling)"#
        }
        let text = #"{"word_embedding_dimension": \#(width), \#(modes.joined(separator: ", "))}"#
        try folder.write("\(name)/1_Pooling/config.json", text)
        try folder.write(
            "\(name)/sentence_bert_config.json",
            #"{"max_seq_length": 16, "do_lower_case": false}"#
        )
    }
}
