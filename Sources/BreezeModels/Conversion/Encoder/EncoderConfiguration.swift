public import BreezeCore

/// The shape of a transformer encoder and what turns its last layer into one answer a text: what
/// `config.json` and the sentence-transformers files beside it say, checked.
public struct EncoderConfiguration: Codable, Hashable, Sendable {
    public enum Architecture: String, Codable, Hashable, Sendable, CaseIterable {
        case bert
        case distilbert
        case mpnet
    }

    public enum Activation: String, Codable, Hashable, Sendable {
        /// The exact one, by the error function.
        case gelu
        /// The approximation by tanh (`gelu_new`, `gelu_pytorch_tanh`).
        case geluTanh = "gelu_tanh"
        case relu
    }

    public enum Pooling: String, Codable, Hashable, Sendable {
        /// The mean over the tokens that the attention mask keeps.
        case mean
        /// The first token's vector.
        case cls
    }

    /// What sorts a text, or a pair of texts, into classes.
    public struct Head: Codable, Hashable, Sendable {
        /// What makes scores of the classes' logits.
        public enum Scoring: String, Codable, Hashable, Sendable {
            /// One class applies.
            case softmax
            /// Each class applies or does not.
            case sigmoid
            /// The logits are the scores.
            case identity
        }

        /// In the order of the logits.
        public var labels: [String]
        public var scoring: Scoring
    }

    public var architecture: Architecture
    /// Also the dimensions of an embedding.
    public var width: Int
    public var layers: Int
    public var heads: Int
    public var intermediateWidth: Int
    public var activation: Activation
    public var normEpsilon: Float
    /// Rows of the table of position embeddings.
    public var positions: Int
    /// 0 where the architecture has none.
    public var tokenTypes: Int
    public var vocabularySize: Int
    public var pooling: Pooling
    /// Whether embeddings have length 1.
    public var normalizes: Bool
    /// Longest sequence in tokens, the special ones counted. At most ``longestSequence``.
    public var maximumLength: Int
    /// What sentence-transformers adds to the tokenizer's own setting: fold case before anything else.
    public var lowercasesFirst: Bool
    /// `nil` for a model that embeds.
    public var head: Head?
    /// What the model was trained to see before a text, by what the text is for: `query`, `passage`, or a name
    /// of the publisher's own. None is empty.
    public var prompts: [String: String] = [:]
    /// The one of ``prompts`` for a text of unstated purpose; `nil` for none.
    public var defaultPrompt: String?
}

extension EncoderConfiguration {
    /// Row of the position table that a text's first token takes.
    public var firstPosition: Int { architecture.parts.firstPosition }

    /// Tokens for which there are position embeddings.
    public var longestSequence: Int { positions - firstPosition }

    /// Whether attention also goes by how far apart two tokens are.
    public var hasRelativePositions: Bool { architecture.parts.relativeBias != nil }

    /// Whether a text's tokens can be of two types: an embedding model reads one text at a time.
    public var takesPairs: Bool { head != nil && tokenTypes > 1 }

    /// What the model can be asked for. One class is a measure of how well two texts go together.
    public var capabilities: [AICapability] {
        guard let head else { return [.embedding, .classification] }
        return head.labels.count == 1 ? [.rerank] : [.classification]
    }

    /// What a manifest of an earlier Breeze does not name has its default.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            architecture: try values.decode(Architecture.self, forKey: .architecture),
            width: try values.decode(Int.self, forKey: .width),
            layers: try values.decode(Int.self, forKey: .layers),
            heads: try values.decode(Int.self, forKey: .heads),
            intermediateWidth: try values.decode(Int.self, forKey: .intermediateWidth),
            activation: try values.decode(Activation.self, forKey: .activation),
            normEpsilon: try values.decode(Float.self, forKey: .normEpsilon),
            positions: try values.decode(Int.self, forKey: .positions),
            tokenTypes: try values.decode(Int.self, forKey: .tokenTypes),
            vocabularySize: try values.decode(Int.self, forKey: .vocabularySize),
            pooling: try values.decode(Pooling.self, forKey: .pooling),
            normalizes: try values.decode(Bool.self, forKey: .normalizes),
            maximumLength: try values.decode(Int.self, forKey: .maximumLength),
            lowercasesFirst: try values.decode(Bool.self, forKey: .lowercasesFirst),
            head: try values.decodeIfPresent(Head.self, forKey: .head),
            prompts: try values.decodeIfPresent([String: String].self, forKey: .prompts) ?? [:],
            defaultPrompt: try values.decodeIfPresent(String.self, forKey: .defaultPrompt)
        )
    }
}
