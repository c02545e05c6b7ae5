extension TinyEncoder {
    /// BERT in every way that a graph depends on: activations, poolings, heads, sizes, names of the tensors.
    package static let bertShapes: [TinyEncoder] = [
        TinyEncoder(), TinyEncoder(seed: 2, activation: "gelu_new"),
        TinyEncoder(seed: 3, activation: "relu"), TinyEncoder(seed: 4, pooling: "cls_token"),
        TinyEncoder(seed: 5, normalizes: false),
        TinyEncoder(seed: 6, pooling: "cls_token", normalizes: false), TinyEncoder(seed: 7, pooling: nil),
        TinyEncoder(seed: 8, prefix: "bert."), TinyEncoder(seed: 9, width: 12, layers: 1, heads: 1),
        TinyEncoder(seed: 10, width: 24, layers: 3, heads: 12, intermediate: 7, spread: 1),
        TinyEncoder(seed: 11, overrides: ["layer_norm_eps": "0.01"]),
        TinyEncoder(seed: 12, labels: ["LABEL_0"]), TinyEncoder(seed: 13, labels: ["no", "perhaps", "yes"]),
    ]
}
