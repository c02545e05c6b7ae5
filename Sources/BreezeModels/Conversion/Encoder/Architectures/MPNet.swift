extension EncoderArchitecture {
    /// MPNet (Song et al. 2020, arXiv 2004.09297): BERT without token types, whose attention also counts how
    /// far apart two tokens are. Positions begin after the padding token's, which is 1 in every model.
    static let mpnet = EncoderArchitecture(
        prefix: "mpnet.",
        keys: bert.keys,
        layers: "encoder.layer.",
        layer: Layer(
            query: "attention.attn.q",
            key: "attention.attn.k",
            value: "attention.attn.v",
            attentionOutput: "attention.attn.o",
            attentionNorm: "attention.LayerNorm",
            inner: "intermediate.dense",
            outer: "output.dense",
            norm: "output.LayerNorm"
        ),
        head: Head(dense: "classifier.dense", activation: .tanh, output: "classifier.out_proj"),
        hasTokenTypes: false,
        firstPosition: 2,
        relativeBias: "encoder.relative_attention_bias.weight"
    )
}
