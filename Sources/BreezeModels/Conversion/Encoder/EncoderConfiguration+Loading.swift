import BreezeCore
public import Foundation

extension EncoderConfiguration {
    /// Reads a model folder in the layout of Hugging Face. Without sentence-transformers' `modules.json` a
    /// text's vector is the mean of its tokens, not normalised: what sentence-transformers itself does then.
    /// - Throws: ``BreezeError`` `.invalidFile` for a damaged or impossible file, `.unsupported` for a sound
    ///   one that asks for something Breeze cannot do.
    public init(directory: URL) throws {
        let config = try ConfigurationFile(directory.appending(path: "config.json"))
        self = try Self.bert(config)
        if let modules = try ConfigurationFile(optional: directory.appending(path: "modules.json")) {
            try readModules(modules, directory: directory)
        }
        let sentenceURL = directory.appending(path: "sentence_bert_config.json")
        if let sentence = try ConfigurationFile(optional: sentenceURL) {
            lowercasesFirst = try sentence.flag("do_lower_case") ?? false
            if sentence.has("max_seq_length") {
                maximumLength = try sentence.integer("max_seq_length", in: 3...positions)
            }
        }
    }

    private static func bert(_ config: ConfigurationFile) throws -> EncoderConfiguration {
        let type = try config.text("model_type")
        guard let architecture = Architecture(rawValue: type) else {
            throw config.unsupported("model_type", type, known: "bert")
        }
        if try config.flag("is_decoder") == true {
            throw config.unsupported("is_decoder", "true", known: "false")
        }
        let position = try config.optionalText("position_embedding_type") ?? "absolute"
        guard position == "absolute" else {
            throw config.unsupported("position_embedding_type", position, known: "absolute")
        }
        let width = try config.integer("hidden_size", in: 1...16_384)
        let heads = try config.integer("num_attention_heads", in: 1...256)
        guard width % heads == 0 else {
            throw config.invalid(
                "num_attention_heads is \(heads), which does not divide hidden_size, \(width)"
            )
        }
        let epsilon = try config.optionalNumber("layer_norm_eps") ?? 1e-12
        guard epsilon > 0, epsilon <= 0.1 else {
            throw config.invalid("layer_norm_eps is \(epsilon); it must be above 0 and at most 0.1")
        }
        let positions = try config.integer("max_position_embeddings", in: 3...131_072)
        return EncoderConfiguration(
            architecture: architecture,
            width: width,
            layers: try config.integer("num_hidden_layers", in: 1...256),
            heads: heads,
            intermediateWidth: try config.integer("intermediate_size", in: 1...131_072),
            activation: try activation(config),
            normEpsilon: Float(epsilon),
            positions: positions,
            tokenTypes: try config.integer("type_vocab_size", in: 1...64),
            vocabularySize: try config.integer("vocab_size", in: 1...4_194_304),
            pooling: .mean,
            normalizes: false,
            maximumLength: positions,
            lowercasesFirst: false
        )
    }

    private static func activation(_ config: ConfigurationFile) throws -> Activation {
        let name = try config.text("hidden_act")
        switch name {
        case "gelu": return .gelu
        case "gelu_new", "gelu_pytorch_tanh": return .geluTanh
        case "relu": return .relu
        default: throw config.unsupported("hidden_act", name, known: "gelu, gelu_new, relu")
        }
    }

    private mutating func readModules(_ modules: ConfigurationFile, directory: URL) throws {
        guard let list = modules.tree.arrayValue else { throw modules.invalid("it is not a list") }
        let kinds = list.map { $0["type"]?.stringValue?.split(separator: ".").last.map(String.init) ?? "" }
        // A further module (Dense, LSTM, …) has weights of its own: leaving it out would give other vectors.
        let order = ["Transformer", "Pooling", "Normalize"]
        for kind in kinds where !order.contains(kind) {
            throw modules.unsupported("a module's type", kind, known: order.joined(separator: ", "))
        }
        guard kinds == Array(order.prefix(kinds.count)), kinds.count >= 2 else {
            throw modules.invalid(
                "the modules are \(kinds), and Transformer, Pooling, Normalize were expected"
            )
        }
        guard list[0]["path"]?.stringValue == "" else {
            throw modules.unsupported(
                "the Transformer's path",
                list[0]["path"]?.stringValue ?? "",
                known: "the folder itself"
            )
        }
        guard let path = list[1]["path"]?.stringValue, Self.poolingPath == path else {
            throw modules.unsupported(
                "the Pooling's path",
                list[1]["path"]?.stringValue ?? "",
                known: Self.poolingPath
            )
        }
        normalizes = kinds.count == 3
        pooling = try Self.pooling(
            try ConfigurationFile(directory.appending(path: path).appending(path: "config.json")),
            width: width
        )
    }

    /// Where sentence-transformers puts the pooling of a model that has one transformer.
    static let poolingPath = "1_Pooling"

    private static func pooling(_ file: ConfigurationFile, width: Int) throws -> Pooling {
        if file.has("word_embedding_dimension") {
            _ = try file.integer("word_embedding_dimension", in: width...width)
        }
        let prefix = "pooling_mode_"
        let modes = (file.tree.objectValue ?? [:]).filter {
            $0.key.hasPrefix(prefix) && $0.value.boolValue == true
        }
        .map { String($0.key.dropFirst(prefix.count)) }.sorted()
        switch modes {
        case ["mean_tokens"]: return .mean
        case ["cls_token"]: return .cls
        case []: throw file.invalid("it switches no pooling mode on")
        default:
            throw file.unsupported(
                "pooling",
                modes.joined(separator: " + "),
                known: "mean_tokens or cls_token alone"
            )
        }
    }
}
