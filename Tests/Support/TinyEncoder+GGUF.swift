import BreezeModels
package import Foundation

/// The same encoder as a GGUF file, so that what llama.cpp answers can be held against what is known of it.
/// BERT alone; its widths are no multiples of a block, so the weights are F32.
extension TinyEncoder {
    private static let layerNames = [
        ("attention.self.query", "attn_q"), ("attention.self.key", "attn_k"),
        ("attention.self.value", "attn_v"), ("attention.output.dense", "attn_output"),
        ("attention.output.LayerNorm", "attn_output_norm"), ("intermediate.dense", "ffn_up"),
        ("output.dense", "ffn_down"), ("output.LayerNorm", "layer_output_norm"),
    ]

    @discardableResult
    package func writeGGUF(
        to folder: ScratchFolder,
        under name: String = "tiny-bert.gguf"
    ) throws -> URL {
        let url = folder.url.appending(path: name)
        try ggufWriter(weights: try readWeights(folder)).write(to: url)
        return url
    }

    /// By way of the file that ``weights`` is, so that both hold the same numbers.
    private func readWeights(_ folder: ScratchFolder) throws -> [String: ([Int], [Float])] {
        let url = try folder.write("\(UUID().uuidString).safetensors", weights)
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try SafetensorsFile(url: url)
        return Dictionary(
            uniqueKeysWithValues: try file.tensors.map { name, tensor in
                (String(name.trimmingPrefix(prefix)), (tensor.shape, try file.floats(of: tensor)))
            }
        )
    }

    private func ggufWriter(weights: [String: ([Int], [Float])]) throws -> GGUFWriter {
        var writer = GGUFWriter(architecture: "bert")
        setShape(&writer)
        setVocabulary(&writer)
        func add(_ theirs: String, as name: String) throws {
            guard let (shape, values) = weights[theirs] else { return }
            try writer.add(name, shape.reversed(), .f32, values)
        }
        try add("embeddings.word_embeddings.weight", as: "token_embd.weight")
        try add("embeddings.position_embeddings.weight", as: "position_embd.weight")
        try add("embeddings.token_type_embeddings.weight", as: "token_types.weight")
        for part in ["weight", "bias"] {
            try add("embeddings.LayerNorm.\(part)", as: "token_embd_norm.\(part)")
            for layer in 0..<layers {
                for (theirs, ours) in Self.layerNames {
                    try add("encoder.layer.\(layer).\(theirs).\(part)", as: "blk.\(layer).\(ours).\(part)")
                }
            }
            // llama.cpp computes cls.output(tanh(cls(CLS token))), which is the pooler and the classifier.
            try add("pooler.dense.\(part)", as: "cls.\(part)")
        }
        for part in ["weight", "bias"] {
            // The classifier has no prefix in the publisher's file.
            try add("classifier.\(part)", as: "cls.output.\(part)")
        }
        return writer
    }

    private func setShape(_ writer: inout GGUFWriter) {
        writer.set("general.name", .string("tiny-bert"))
        writer.set("general.file_type", .uint32(0))
        let numbers = [
            ("context_length", positions), ("embedding_length", width), ("block_count", layers),
            ("feed_forward_length", intermediate), ("attention.head_count", heads),
        ]
        for (key, value) in numbers { writer.set("bert.\(key)", .uint32(UInt32(value))) }
        writer.set("bert.attention.layer_norm_epsilon", .float32(1e-12))
        writer.set("bert.attention.causal", .bool(false))
        // The format's numbers: mean 1, CLS 2, rank 4.
        let pooling: UInt32 = labels != nil ? 4 : pooling == "cls_token" ? 2 : 1
        writer.set("bert.pooling_type", .uint32(pooling))
        if let labels { writer.set("bert.classifier.output_labels", .array(GGUFArray(labels))) }
        writer.set("tokenizer.ggml.token_type_count", .uint32(2))
    }

    /// WordPiece marks what continues a word with `##`; here what begins one has U+2581 in front. Special
    /// tokens stay as they are.
    private func setVocabulary(_ writer: inout GGUFWriter) {
        func isSpecial(_ word: String) -> Bool { word.hasPrefix("[") && word.hasSuffix("]") }
        let tokens = words.map { word in
            isSpecial(word) ? word : word.hasPrefix("##") ? String(word.dropFirst(2)) : "\u{2581}" + word
        }
        writer.set("tokenizer.ggml.model", .string("bert"))
        writer.set("tokenizer.ggml.pre", .string("default"))
        writer.set("tokenizer.ggml.tokens", .array(GGUFArray(tokens)))
        writer.set(
            "tokenizer.ggml.token_type",
            .array(GGUFArray(words.map { isSpecial($0) ? 3 : 1 as Int32 }))
        )
        // CLS opens and SEP closes, as beginning and end of text; the key's name is misspelt in the format.
        let ids = [
            ("unknown", "[UNK]"), ("padding", "[PAD]"), ("mask", "[MASK]"), ("bos", "[CLS]"),
            ("eos", "[SEP]"), ("seperator", "[SEP]"),
        ]
        for (name, word) in ids {
            guard let id = words.firstIndex(of: word) else { continue }
            writer.set("tokenizer.ggml.\(name)_token_id", .uint32(UInt32(id)))
        }
    }
}
