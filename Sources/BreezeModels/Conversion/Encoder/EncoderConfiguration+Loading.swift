import BreezeCore
public import Foundation

extension EncoderConfiguration {
    /// Reads a model folder in the layout of Hugging Face. Without sentence-transformers' `modules.json` a
    /// model without a head gives the mean of a text's tokens, not normalised: what sentence-transformers
    /// itself does then. With it the model embeds, and a head beside it is left out, as there.
    ///
    /// `name` is the model's own, by which families of known ``prompts`` are told; `nil` for the folder's.
    /// - Throws: ``BreezeError`` `.invalidFile` for a damaged or impossible file, `.unsupported` for a sound
    ///   one that asks for something Breeze cannot do.
    public init(directory: URL, name: String? = nil) throws {
        let config = try ConfigurationFile(directory.appending(path: "config.json"))
        self = try Self.encoder(config)
        let publisher = try PublisherConfiguration(directory: directory)
        if try publisher.isCrossEncoder() {
            try publisher.checkCrossEncoderModules()
            head = try Head(config, publisher: publisher.file)
            guard head != nil else { throw config.invalid("a cross-encoder needs a head, and it names none") }
        } else if let modules = publisher.modules {
            try readModules(modules, directory: directory)
        } else {
            head = try Head(config, publisher: publisher.file)
        }
        try readLimits(directory)
        try readPrompts(
            publisher.file,
            names: [
                name ?? directory.standardizedFileURL.lastPathComponent,
                (config.tree["_name_or_path"]?.stringValue ?? ""),
            ]
        )
    }

    private mutating func readLimits(_ directory: URL) throws {
        let url = directory.appending(path: "sentence_bert_config.json")
        guard let sentence = try ConfigurationFile(optional: url) else { return }
        lowercasesFirst = try sentence.flag("do_lower_case") ?? false
        if sentence.has("max_seq_length") {
            maximumLength = try sentence.integer("max_seq_length", in: 3...longestSequence)
        }
    }

    private static func encoder(_ config: ConfigurationFile) throws -> EncoderConfiguration {
        let type = try config.text("model_type")
        guard let architecture = Architecture(rawValue: type) else {
            let known = Architecture.allCases.map(\.rawValue).joined(separator: ", ")
            throw config.unsupported("model_type", type, known: known)
        }
        let parts = architecture.parts
        try checkVariant(config, parts)
        let keys = parts.keys
        let width = try config.integer(keys.width, in: 1...16_384)
        let heads = try config.integer(keys.heads, in: 1...256)
        guard width % heads == 0 else {
            throw config.invalid("\(keys.heads) is \(heads), which does not divide \(keys.width), \(width)")
        }
        let smallest = 3 + parts.firstPosition
        let positions = try config.integer("max_position_embeddings", in: smallest...131_072)
        return EncoderConfiguration(
            architecture: architecture,
            width: width,
            layers: try config.integer(keys.layers, in: 1...256),
            heads: heads,
            intermediateWidth: try config.integer(keys.intermediateWidth, in: 1...131_072),
            activation: try activation(config, keys.activation),
            normEpsilon: try normEpsilon(config, keys.normEpsilon),
            positions: positions,
            tokenTypes: parts.hasTokenTypes ? try config.integer("type_vocab_size", in: 1...64) : 0,
            vocabularySize: try config.integer("vocab_size", in: 1...4_194_304),
            pooling: .mean,
            normalizes: false,
            maximumLength: positions - parts.firstPosition,
            lowercasesFirst: false
        )
    }

    /// Refuses what the architecture's name alone does not tell.
    private static func checkVariant(_ config: ConfigurationFile, _ parts: EncoderArchitecture) throws {
        if try config.flag("is_decoder") == true {
            throw config.unsupported("is_decoder", "true", known: "false")
        }
        let position = try config.optionalText("position_embedding_type") ?? "absolute"
        guard position == "absolute" else {
            throw config.unsupported("position_embedding_type", position, known: "absolute")
        }
        let buckets = "relative_attention_num_buckets"
        if parts.relativeBias != nil, config.has(buckets) {
            let count = RelativePositions.bucketCount
            _ = try config.integer(buckets, in: count...count)
        }
    }

    private static func normEpsilon(_ config: ConfigurationFile, _ key: String?) throws -> Float {
        guard let key else { return 1e-12 }
        let epsilon = try config.optionalNumber(key) ?? 1e-12
        guard epsilon > 0, epsilon <= 0.1 else {
            throw config.invalid("\(key) is \(epsilon); it must be above 0 and at most 0.1")
        }
        return Float(epsilon)
    }

    private static func activation(_ config: ConfigurationFile, _ key: String) throws -> Activation {
        let name = try config.text(key)
        switch name {
        case "gelu": return .gelu
        case "gelu_new", "gelu_pytorch_tanh": return .geluTanh
        case "relu": return .relu
        default: throw config.unsupported(key, name, known: "gelu, gelu_new, gelu_pytorch_tanh, relu")
        }
    }
}
