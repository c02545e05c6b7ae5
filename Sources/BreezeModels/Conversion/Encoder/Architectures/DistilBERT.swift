extension EncoderArchitecture {
    /// DistilBERT (Sanh et al. 2019, arXiv 1910.01108): BERT without token types and pooler.
    static let distilBERT = EncoderArchitecture(
        prefix: "distilbert.",
        keys: Keys(
            width: "dim",
            layers: "n_layers",
            heads: "n_heads",
            intermediateWidth: "hidden_dim",
            activation: "activation",
            normEpsilon: nil
        ),
        layers: "transformer.layer.",
        layer: Layer(
            query: "attention.q_lin",
            key: "attention.k_lin",
            value: "attention.v_lin",
            attentionOutput: "attention.out_lin",
            attentionNorm: "sa_layer_norm",
            inner: "ffn.lin1",
            outer: "ffn.lin2",
            norm: "output_layer_norm"
        ),
        head: Head(dense: "pre_classifier", activation: .relu, output: "classifier"),
        hasTokenTypes: false,
        firstPosition: 0,
        relativeBias: nil
    )
}
