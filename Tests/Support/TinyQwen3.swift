package import BreezeModels
package import Foundation

/// A Qwen3-shaped model of seeded random weights. By default one of 190 KB whose vocabulary is the 256 bytes:
/// it loads in milliseconds, and everything about it is real but the sense of what it says.
package struct TinyQwen3: Sendable {
    package var seed: UInt64 = 1
    package var layers = 2
    package var width = 64
    package var heads = 4
    package var keyValueHeads = 2
    package var headLength = 16
    package var feedForward = 128
    package var context = 2048
    /// Of the matrices; norms are always F32.
    package var type = GGMLType.f16
    package var name = "random-qwen3-tiny"
    package var vocabulary = Vocabulary.bytes
    package var template: String? = Self.chatML
    /// Called with the writer before it writes, to add or to replace keys.
    package var edit: @Sendable (inout GGUFWriter) -> Void = { _ in }

    package init(seed: UInt64 = 1) { self.seed = seed }

    /// The shape of Qwen3-0.6B with a vocabulary of its size: as fast and as large as the real one, 1.2 GB in
    /// F16.
    package static func large(seed: UInt64 = 1) -> TinyQwen3 {
        var model = TinyQwen3(seed: seed)
        (model.layers, model.width, model.heads, model.keyValueHeads) = (28, 1024, 16, 8)
        (model.headLength, model.feedForward, model.context) = (128, 3072, 40_960)
        model.name = "random-qwen3-0.6b"
        model.vocabulary = .padded(to: 151_936)
        return model
    }

    package static let chatML = """
        {% for m in messages %}<|im_start|>{{ m.role }}
        {{ m.content }}<|im_end|>
        {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
        {% endif %}
        """

    @discardableResult
    package func write(
        to folder: ScratchFolder,
        under name: String = "tiny-qwen3.gguf"
    ) throws -> URL {
        let url = folder.url.appending(path: name)
        try write(to: url)
        return url
    }

    package func write(to url: URL, progress: (Int) throws -> Void = { _ in }) throws {
        try writer().write(to: url, progress: progress)
    }

    /// Ready to be written, so that a test may spoil it first.
    package func writer() throws -> GGUFWriter {
        var writer = GGUFWriter(architecture: "qwen3")
        setShape(&writer)
        vocabulary.set(in: &writer)
        if let template { writer.set("tokenizer.chat_template", .string(template)) }
        edit(&writer)
        try addTensors(to: &writer)
        return writer
    }

    private func setShape(_ writer: inout GGUFWriter) {
        writer.set("general.name", .string(name))
        let numbers = [
            ("context_length", context), ("embedding_length", width), ("block_count", layers),
            ("feed_forward_length", feedForward), ("attention.head_count", heads),
            ("attention.head_count_kv", keyValueHeads), ("attention.key_length", headLength),
            ("attention.value_length", headLength),
        ]
        for (key, value) in numbers { writer.set("qwen3.\(key)", .uint32(UInt32(value))) }
        writer.set("qwen3.attention.layer_norm_rms_epsilon", .float32(1e-6))
        writer.set("qwen3.rope.freq_base", .float32(1e6))
        let kinds: [GGMLType: UInt32] = [.f32: 0, .f16: 1, .q8_0: 7, .bf16: 32]
        writer.set("general.file_type", .uint32(kinds[type] ?? 1))
    }

    private func addTensors(to writer: inout GGUFWriter) throws {
        let (query, shared) = (heads * headLength, keyValueHeads * headLength)
        var weights = RandomWeights(seed: seed, type: type)
        // There is no output.weight: the embedding table serves both ways.
        try weights.matrix("token_embd.weight", [width, vocabulary.tokens.count], 0.05, to: &writer)
        try weights.ones("output_norm.weight", width, to: &writer)
        for layer in 0..<layers {
            let block = "blk.\(layer)."
            let shapes = [
                ("attn_q", [width, query]), ("attn_k", [width, shared]), ("attn_v", [width, shared]),
                ("attn_output", [query, width]), ("ffn_gate", [width, feedForward]),
                ("ffn_up", [width, feedForward]), ("ffn_down", [feedForward, width]),
            ]
            for (name, shape) in shapes {
                try weights.matrix("\(block)\(name).weight", shape, 0.02, to: &writer)
            }
            let norms = [
                ("attn_norm", width), ("attn_q_norm", headLength), ("attn_k_norm", headLength),
                ("ffn_norm", width),
            ]
            for (name, width) in norms { try weights.ones("\(block)\(name).weight", width, to: &writer) }
        }
    }
}

/// Matrices of normally distributed numbers, each from a generator of its own: its rows come out the same
/// however the others are made.
private struct RandomWeights {
    let seed: UInt64
    let type: GGMLType
    private var count: UInt64 = 0

    init(seed: UInt64, type: GGMLType) {
        self.seed = seed
        self.type = type
    }

    mutating func matrix(
        _ name: String,
        _ shape: [Int],
        _ deviation: Float,
        to writer: inout GGUFWriter
    ) throws {
        count += 1
        let (seed, base, width) = (seed, count << 40, shape[0])
        try writer.add(name, shape, type) { row in
            var generator = SeededGenerator(seed: seed << 56 ^ base ^ UInt64(row) << 16)
            return [Float](unsafeUninitializedCapacity: width) { buffer, count in
                for index in 0..<width {
                    buffer.initializeElement(at: index, to: Self.normal(generator.next()) * deviation)
                }
                count = width
            }
        }
    }

    func ones(_ name: String, _ width: Int, to writer: inout GGUFWriter) throws {
        try writer.add(name, [width], .f32, Array(repeating: 1, count: width))
    }

    /// The sum of four uniform 16-bit numbers, scaled to variance 1: near enough to normal, and four times as
    /// fast as the exact ways.
    private static func normal(_ bits: UInt64) -> Float {
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
        // Mean 2 × 65,535; variance 4 × (65,536² − 1) / 12.
        return (Float(sum) - 131_070) / 37_837
    }
}

extension TinyQwen3 {
    /// Byte-level BPE.
    package struct Vocabulary: Sendable {
        package var tokens: [String]
        /// 1 normal, 3 control, 4 user-defined.
        package var kinds: [Int32]
        package var merges = ["\u{120} \u{120}"]

        private static let control = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
        private static let marks = [
            "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>",
        ]

        /// 256 bytes, two spaces as one token, and Qwen3's special ones: 266.
        package static let bytes = make(fillers: 0)

        /// As many tokens, most of which no text gives.
        package static func padded(to count: Int) -> Vocabulary {
            make(fillers: max(0, count - bytes.tokens.count))
        }

        private static func make(fillers: Int) -> Vocabulary {
            let normal = byteTokens + ["\u{120}\u{120}"] + (0..<fillers).map { "\u{120}filler\($0)" }
            let kinds = normal.map { _ in Int32(1) } + control.map { _ in 3 } + marks.map { _ in 4 }
            return Vocabulary(tokens: normal + control + marks, kinds: kinds)
        }

        /// GPT-2's alphabet: printable bytes stand for themselves, the others for U+0100 and up.
        private static let byteTokens: [String] = {
            let printable = Array(0x21...0x7E) + Array(0xA1...0xAC) + Array(0xAE...0xFF)
            let others = 256 - printable.count
            return (printable + (0x100..<0x100 + others)).compactMap { Unicode.Scalar($0) }.map { String($0) }
        }()

        fileprivate func set(in writer: inout GGUFWriter) {
            writer.set("tokenizer.ggml.model", .string("gpt2"))
            writer.set("tokenizer.ggml.pre", .string("qwen2"))
            writer.set("tokenizer.ggml.tokens", .array(GGUFArray(tokens)))
            writer.set("tokenizer.ggml.token_type", .array(GGUFArray(kinds)))
            writer.set("tokenizer.ggml.merges", .array(GGUFArray(merges)))
            let ids = [("eos", "<|im_end|>"), ("padding", "<|endoftext|>"), ("bos", "<|endoftext|>")]
            for (name, token) in ids {
                guard let id = tokens.firstIndex(of: token) else { continue }
                writer.set("tokenizer.ggml.\(name)_token_id", .uint32(UInt32(id)))
            }
            writer.set("tokenizer.ggml.add_bos_token", .bool(false))
        }
    }
}
