package import Foundation

/// An encoder of a few thousand seeded weights, written as a model folder in the layout of Hugging Face.
package struct TinyEncoder {
    package enum Architecture: String, CaseIterable, Sendable {
        case bert
        case distilbert
        case mpnet
    }

    package var architecture = Architecture.bert
    package var seed: UInt64 = 1
    package var width = 16
    package var layers = 2
    package var heads = 4
    package var intermediate = 24
    /// Rows of the position table.
    package var positions = 32
    package var activation = "gelu"
    /// `nil` leaves the sentence-transformers files out.
    package var pooling: String? = "mean_tokens"
    package var normalizes = true
    /// A classifier's, which is saved with the architecture's prefix; `nil` for a model without a head.
    package var labels: [String]?
    package var prefix = ""
    /// Widens the weights: with larger ones, attention is far from uniform and a wrong scale shows.
    package var spread: Float = 0.5
    package static let defaultWords = [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "a", "mail", "sun", "##s", "##ny", ".",
    ]
    private static let mpnetWords =
        ["<s>", "<pad>", "</s>", "[UNK]", "<mask>"] + defaultWords.dropFirst(5)
    /// Members of `config.json` to replace, as JSON text; an empty one leaves the key out.
    package var overrides: [String: String] = [:]
    package var words = Self.defaultWords
    /// `config_sentence_transformers.json`; `nil` leaves it out.
    package var publisher: String?
    /// Called on each tensor before it is written; `nil` leaves it out.
    package var edit: @Sendable (String, [Int]) -> [Int]? = { $1 }

    package init(
        _ architecture: Architecture = .bert,
        seed: UInt64 = 1,
        width: Int = 16,
        layers: Int = 2,
        heads: Int = 4,
        intermediate: Int = 24,
        positions: Int = 32,
        activation: String = "gelu",
        pooling: String? = "mean_tokens",
        normalizes: Bool = true,
        labels: [String]? = nil,
        prefix: String = "",
        spread: Float = 0.5,
        overrides: [String: String] = [:],
        words: [String] = Self.defaultWords,
        publisher: String? = nil,
        edit: @escaping @Sendable (String, [Int]) -> [Int]? = { $1 }
    ) {
        self.architecture = architecture
        self.seed = seed
        self.width = width
        self.layers = layers
        self.heads = heads
        self.intermediate = intermediate
        self.positions = positions
        self.activation = activation
        self.pooling = labels == nil ? pooling : nil
        self.normalizes = normalizes
        self.labels = labels
        self.prefix = labels == nil ? prefix : architecture.rawValue + "."
        self.spread = spread
        self.overrides = overrides
        self.words = architecture == .mpnet && words == Self.defaultWords ? Self.mpnetWords : words
        self.publisher = publisher
        self.edit = edit
    }

    package var config: String {
        var members = [
            "model_type": "\"\(architecture.rawValue)\"", "max_position_embeddings": "\(positions)",
            "vocab_size": "\(words.count)",
        ]
        let keys =
            architecture == .distilbert
            ? ["dim", "n_layers", "n_heads", "hidden_dim", "activation"]
            : [
                "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "hidden_act",
            ]
        let values = ["\(width)", "\(layers)", "\(heads)", "\(intermediate)", "\"\(activation)\""]
        for (key, value) in zip(keys, values) { members[key] = value }
        switch architecture {
        case .bert: members.merge(["layer_norm_eps": "1e-12", "type_vocab_size": "2"]) { $1 }
        case .mpnet:
            members.merge(["layer_norm_eps": "1e-05", "relative_attention_num_buckets": "32"]) { $1 }
        case .distilbert: break
        }
        if let labels {
            let names = labels.enumerated().map { "\"\($0)\": \"\($1)\"" }.joined(separator: ", ")
            members["id2label"] = "{\(names)}"
            members["architectures"] = "[\"\(classPrefix)ForSequenceClassification\"]"
        }
        members.merge(overrides) { $1 }
        let text = members.filter { $0.value != "" }.sorted { $0.key < $1.key }
        return "{" + text.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
    }

    private var classPrefix: String {
        switch architecture {
        case .bert: "Bert"
        case .distilbert: "DistilBert"
        case .mpnet: "MPNet"
        }
    }

    package var weights: [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var builder = SafetensorsBuilder()
        for (name, shape) in tensors.map({ (prefix + $0, $1) }) + headTensors {
            guard let edited = edit(String(name.trimmingPrefix(prefix)), shape) else { continue }
            let center: Float =
                name.lowercased().replacing("_", with: "").hasSuffix("layernorm.weight") ? 1 : 0
            let values = (0..<edited.reduce(1, *)).map { _ in
                center + Float.random(in: -spread...spread, using: &generator)
            }
            builder.add(name, edited, values)
        }
        return builder.bytes
    }

    private var tensors: [(String, [Int])] {
        var list: [(String, [Int])] = [
            ("embeddings.word_embeddings.weight", [words.count, width]),
            ("embeddings.position_embeddings.weight", [positions, width]),
        ]
        if architecture == .bert { list.append(("embeddings.token_type_embeddings.weight", [2, width])) }
        list += Self.norm("embeddings.LayerNorm", width)
        if architecture == .mpnet { list.append(("encoder.relative_attention_bias.weight", [32, heads])) }
        for layer in 0..<layers { list += layerTensors(layer) }
        return list
    }

    private func layerTensors(_ layer: Int) -> [(String, [Int])] {
        let squares: [String]
        let path: String
        var names = ["attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm"]
        switch architecture {
        case .bert:
            path = "encoder.layer.\(layer)."
            squares = ["self.query", "self.key", "self.value", "output.dense"]
        case .distilbert:
            path = "transformer.layer.\(layer)."
            squares = ["q_lin", "k_lin", "v_lin", "out_lin"]
            names = ["sa_layer_norm", "ffn.lin1", "ffn.lin2", "output_layer_norm"]
        case .mpnet:
            path = "encoder.layer.\(layer)."
            squares = ["attn.q", "attn.k", "attn.v", "attn.o"]
            names[0] = "attention.LayerNorm"
        }
        var list = squares.flatMap { Self.linear("\(path)attention.\($0)", width, width) }
        list += Self.linear(path + names[1], width, intermediate)
        list += Self.linear(path + names[2], intermediate, width)
        return list + Self.norm(path + names[0], width) + Self.norm(path + names[3], width)
    }

    private var headTensors: [(String, [Int])] {
        guard let labels else { return [] }
        let (dense, output) =
            switch architecture {
            case .bert: ("bert.pooler.dense", "classifier")
            case .distilbert: ("pre_classifier", "classifier")
            case .mpnet: ("classifier.dense", "classifier.out_proj")
            }
        return Self.linear(dense, width, width) + Self.linear(output, width, labels.count)
    }

    private static func linear(_ name: String, _ from: Int, _ to: Int) -> [(String, [Int])] {
        [(name + ".weight", [to, from]), (name + ".bias", [to])]
    }

    private static func norm(_ name: String, _ width: Int) -> [(String, [Int])] {
        [(name + ".weight", [width]), (name + ".bias", [width])]
    }

    package func write(to folder: ScratchFolder, under name: String = "tiny-bert") throws -> URL {
        try folder.write("\(name)/config.json", config)
        try folder.write("\(name)/model.safetensors", weights)
        try folder.write("\(name)/vocab.txt", words.joined(separator: "\n") + "\n")
        let names =
            architecture == .mpnet
            ? #", "cls_token": "<s>", "sep_token": "</s>", "pad_token": "<pad>", "mask_token": "<mask>""# : ""
        try folder.write(
            "\(name)/tokenizer_config.json",
            #"{"do_lower_case": true, "tokenizer_class": "\#(classPrefix)Tokenizer"\#(names)}"#
        )
        if let publisher { try folder.write("\(name)/config_sentence_transformers.json", publisher) }
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

/// The architecture that most tests need no other of.
package typealias TinyBERT = TinyEncoder
