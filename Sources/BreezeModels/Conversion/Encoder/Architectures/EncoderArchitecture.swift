/// What tells one architecture of the BERT family from another: the names of its parts, in `config.json` and in
/// the weights, and where its arithmetic differs. All names are those of Hugging Face's `transformers`.
struct EncoderArchitecture {
    /// Members of `config.json`.
    struct Keys {
        let width: String
        let layers: String
        let heads: String
        let intermediateWidth: String
        let activation: String
        /// `nil` where layer norm's epsilon is 1e-12 for every model.
        let normEpsilon: String?
    }

    /// Paths within a layer.
    struct Layer {
        let query: String
        let key: String
        let value: String
        let attentionOutput: String
        let attentionNorm: String
        let inner: String
        let outer: String
        let norm: String
    }

    /// A sequence classifier: two linear maps of the first token's vector.
    struct Head {
        enum Activation {
            case tanh
            case relu
        }

        let dense: String
        /// Between the two.
        let activation: Activation
        let output: String
    }

    /// Before the encoder's own names where it was saved inside a model with a head.
    let prefix: String
    let keys: Keys
    /// What the layers are called, without their number.
    let layers: String
    let layer: Layer
    let head: Head
    let hasTokenTypes: Bool
    /// Row of the position table that a text's first token takes.
    let firstPosition: Int
    /// A table `[buckets, heads]` of what attention adds by distance; `nil` where there is none.
    let relativeBias: String?
}

extension EncoderConfiguration.Architecture {
    var parts: EncoderArchitecture {
        switch self {
        case .bert: .bert
        case .distilbert: .distilBERT
        case .mpnet: .mpnet
        }
    }
}
