import Foundation

/// A BERT of a few thousand seeded weights, written as a model folder in the layout of Hugging Face.
struct TinyBERT {
    var seed: UInt64 = 1
    var width = 16
    var layers = 2
    var heads = 4
    var intermediate = 24
    var positions = 32
    var activation = "gelu"
    /// `nil` leaves the sentence-transformers files out.
    var pooling: String? = "mean_tokens"
    var normalizes = true
    var prefix = ""
    /// Widens the weights: with larger ones, attention is far from uniform and a wrong scale shows.
    var spread: Float = 0.5
    /// Members of `config.json` to replace, as JSON text; an empty one leaves the key out.
    var overrides: [String: String] = [:]
    var words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "a", "mail", "sun", "##s", "##ny", "."]
    /// Called on each tensor before it is written; `nil` leaves it out.
    var edit: @Sendable (String, [Int]) -> [Int]? = { $1 }

    var config: String {
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

    var weights: [UInt8] {
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

    func write(to folder: ScratchFolder, under name: String = "tiny-bert") throws -> URL {
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
