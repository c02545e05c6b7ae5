/// The shape of a transformer encoder and what turns its last layer into one vector a text: what
/// `config.json` and the sentence-transformers files beside it say, checked.
public struct EncoderConfiguration: Codable, Hashable, Sendable {
    public enum Architecture: String, Codable, Hashable, Sendable {
        case bert
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

    public var architecture: Architecture
    /// Also the dimensions of an embedding.
    public var width: Int
    public var layers: Int
    public var heads: Int
    public var intermediateWidth: Int
    public var activation: Activation
    public var normEpsilon: Float
    /// Longest sequence for which there are position embeddings.
    public var positions: Int
    public var tokenTypes: Int
    public var vocabularySize: Int
    public var pooling: Pooling
    /// Whether embeddings have length 1.
    public var normalizes: Bool
    /// Longest sequence in tokens, the two special ones counted. At most ``positions``.
    public var maximumLength: Int
    /// What sentence-transformers adds to the tokenizer's own setting: fold case before anything else.
    public var lowercasesFirst: Bool
}
