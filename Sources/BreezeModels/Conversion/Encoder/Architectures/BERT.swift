extension EncoderArchitecture {
    /// BERT (Devlin et al. 2018, arXiv 1810.04805), and so MiniLM, bge and e5.
    static let bert = EncoderArchitecture(
        prefix: "bert.",
        keys: Keys(
            width: "hidden_size",
            layers: "num_hidden_layers",
            heads: "num_attention_heads",
            intermediateWidth: "intermediate_size",
            activation: "hidden_act",
            normEpsilon: "layer_norm_eps"
        ),
        layers: "encoder.layer.",
        layer: Layer(
            query: "attention.self.query",
            key: "attention.self.key",
            value: "attention.self.value",
            attentionOutput: "attention.output.dense",
            attentionNorm: "attention.output.LayerNorm",
            inner: "intermediate.dense",
            outer: "output.dense",
            norm: "output.LayerNorm"
        ),
        head: Head(dense: "pooler.dense", activation: .tanh, output: "classifier"),
        hasTokenTypes: true,
        firstPosition: 0,
        relativeBias: nil
    )
}
