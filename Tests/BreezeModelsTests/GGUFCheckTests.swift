import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct GGUFCheckTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func refusal(_ edit: @escaping @Sendable (inout GGUFWriter) -> Void) throws -> BreezeError? {
        var model = TinyQwen3()
        model.edit = edit
        let url = try model.write(to: folder, under: "\(UUID().uuidString).gguf")
        return #expect(throws: BreezeError.self) { try GGUFCheck.open(url) }
    }

    @Test func `sound files are accepted`() throws {
        try GGUFCheck.open(try TinyQwen3().write(to: folder))
        try GGUFCheck.open(try TinyEncoder().writeGGUF(to: folder))
        let labelled = TinyEncoder(labels: ["no", "perhaps", "yes"])
        try GGUFCheck.open(try labelled.writeGGUF(to: folder, under: "labelled.gguf"))
    }

    /// What ends llama.cpp's process (`GGML_ASSERT` in llama-model.cpp and ops.cpp), or is computed with in
    /// silence.
    @Test(
        arguments: [
            ("qwen3.block_count", .uint32(0)), ("qwen3.block_count", .uint32(1 << 31)),
            ("qwen3.block_count", .uint32(.max)), ("qwen3.block_count", .uint32(513)),
            ("qwen3.block_count", .uint64(2)), ("qwen3.attention.layer_norm_rms_epsilon", .float32(.nan)),
            ("qwen3.attention.layer_norm_rms_epsilon", .float32(-1)),
            ("qwen3.attention.layer_norm_rms_epsilon", .float32(.infinity)),
            ("qwen3.attention.layer_norm_rms_epsilon", .float64(1e-6)),
            ("qwen3.rope.freq_base", .float32(.nan)), ("qwen3.rope.freq_base", .float32(0)),
            ("qwen3.context_length", .uint32(0)), ("qwen3.context_length", .uint32(.max)),
            ("qwen3.embedding_length", .uint32(0)), ("qwen3.attention.head_count", .uint32(0)),
            ("qwen3.attention.head_count", .uint32(3)), ("qwen3.attention.head_count_kv", .uint32(0)),
            ("qwen3.attention.head_count", .array(GGUFArray([4] as [Int32]))),
            ("qwen3.attention.head_count", .array(GGUFArray([0, 0] as [Int32]))),
            ("qwen3.attention.key_length", .uint32(0)), ("qwen3.rope.dimension_count", .uint32(7)),
            ("qwen3.rope.dimension_count", .uint32(18)), ("qwen3.pooling_type", .uint32(5)),
            ("qwen3.nextn_predict_layers", .uint32(3)), ("qwen3.expert_count", .uint32(1025)),
            ("qwen3.expert_count", .uint32(4)), ("qwen3.expert_used_count", .uint32(1)),
            ("qwen3.expert_group_count", .uint32(1)), ("qwen3.rope.scaling.factor", .float32(.nan)),
            ("qwen3.attention.scale", .float32(.nan)), ("tokenizer.ggml.eos_token_id", .uint32(266)),
            ("tokenizer.ggml.eot_token_id", .uint32(.max)), ("tokenizer.ggml.bos_token_id", .int32(0)),
            ("tokenizer.ggml.scores", .array(GGUFArray([1, 2] as [Float]))),
            ("tokenizer.ggml.token_type", .array(GGUFArray([1, 2] as [Int32]))),
            ("tokenizer.ggml.token_type", .array(GGUFArray(["a"]))),
            ("tokenizer.ggml.merges", .array(GGUFArray([] as [String]))),
            ("tokenizer.ggml.merges", .uint32(1)), ("tokenizer.ggml.model", .string("none")),
            ("tokenizer.ggml.tokens", .array(GGUFArray(["a", "b"]))), ("general.architecture", .string("")),
            ("general.architecture", .uint32(1)), ("general.architecture", .string("bert")),
        ] as [(String, GGUFValue)]
    )
    func `a value that no model has is refused by its key`(key: String, value: GGUFValue) throws {
        let error = try refusal { $0.set(key, value) }
        #expect(error?.code == .invalidFile)
        #expect(error?.remedy != nil)
        let name =
            key == "general.architecture"
            ? "architecture" : key.split(separator: ".").dropFirst().joined(separator: ".")
        // An expert count is refused by what it disagrees with; a shorter vocabulary by the ids and lists
        // beside it.
        let words = [name, "expert", "token", "vocabulary", "block_count"]
        #expect(words.contains { error?.message.contains($0) == true }, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            ("general.type", .string("adapter"), "adapter"),
            ("general.architecture", .string("clip"), "projector"),
            ("split.count", .uint16(3), "one of 3 pieces"),
            ("qwen3.rope.scaling.type", .string("magic"), "magic"),
        ] as [(String, GGUFValue, String)]
    )
    func `what llama cpp cannot run is not supported`(key: String, value: GGUFValue, words: String) throws {
        let error = try refusal { $0.set(key, value) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    /// llama.cpp compares the number of tokens with the number of different ones, and ends the process.
    @Test(arguments: [("a", "a"), ("a\0b", "a\0c"), ("", "[EMPTY_0]")])
    func `a token that is there twice is refused`(first: String, second: String) throws {
        var model = TinyQwen3()
        model.vocabulary.tokens[0] = first
        model.vocabulary.tokens[9] = second
        // Where the alphabet has it already.
        if let other = model.vocabulary.tokens.firstIndex(of: "a"), other != 0, other != 9 {
            model.vocabulary.tokens[other] = "free"
        }
        let url = try model.write(to: folder)
        let error = #expect(throws: BreezeError.self) { try GGUFCheck.open(url) }
        #expect(error?.message.contains("token 9 twice") == true, "\(error?.message ?? "")")
    }

    @Test func `a tokenizer of another model is refused`() throws {
        var model = TinyQwen3()
        model.edit = { writer in
            let other = TinyQwen3.Vocabulary.padded(to: 300)
            writer.set("tokenizer.ggml.tokens", .array(GGUFArray(other.tokens)))
            writer.set("tokenizer.ggml.token_type", .array(GGUFArray(other.kinds)))
        }
        let url = try model.write(to: folder)
        let error = #expect(throws: BreezeError.self) { try GGUFCheck.open(url) }
        #expect(error?.message.contains("300 tokens and its embedding table 266 rows") == true)
    }

    /// A WordPiece of fewer than 103 tokens has none of the ids that llama.cpp assumes, and it ends the
    /// process when it tokenizes.
    @Test func `a small WordPiece vocabulary has to name its separator`() throws {
        let url = try TinyEncoder(words: ["[PAD]", "[UNK]", "[CLS]", "a", "mail"]).writeGGUF(to: folder)
        let error = #expect(throws: BreezeError.self) { try GGUFCheck.open(url) }
        #expect(error?.message.contains("seperator_token_id is missing") == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        (UInt32(15), "Q8_K"), (9, "Q8_1"), (24, "I8"), (31, "type 31"), (99, "type 99"),
    ])
    func `a quantisation that cannot run is not supported, and named`(code: UInt32, name: String) throws {
        let url = try TinyQwen3().write(to: folder)
        var bytes = [UInt8](try Data(contentsOf: url))
        // The embedding table: behind its name, 4 bytes of rank and two sizes.
        let place = try #require(bytes.firstRange(of: Array("token_embd.weight".utf8))).upperBound + 20
        withUnsafeBytes(of: code.littleEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        // A row of the table is 64 elements; the K kinds want 256.
        if code == 15 {
            withUnsafeBytes(of: UInt64(256).littleEndian) {
                bytes.replaceSubrange(place - 16..<place - 8, with: $0)
            }
        }
        let spoilt = try folder.write("spoilt.gguf", bytes)
        let error = #expect(throws: BreezeError.self) { try GGUFCheck.open(spoilt) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(name) == true, "\(error?.message ?? "")")
        #expect(error?.remedy?.contains("quantisation") == true)
    }

    @Test func `a norm in half precision is not supported`() throws {
        var writer = try TinyQwen3().writer()
        try writer.add("blk.9.extra_norm.weight", [64], .f16, Array(repeating: 1, count: 64))
        let url = folder.url.appending(path: "norm.gguf")
        try writer.write(to: url)
        let error = #expect(throws: BreezeError.self) { try GGUFCheck.open(url) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("vector of F16") == true, "\(error?.message ?? "")")
    }

    @Test func `a file of which the end is missing says so`() throws {
        let url = try TinyQwen3().write(to: folder)
        let bytes = [UInt8](try Data(contentsOf: url))
        let cut = try folder.write("cut.gguf", Array(bytes.dropLast(1000)))
        let error = #expect(throws: BreezeError.self) { try GGUFCheck.open(cut) }
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains("never finished") == true, "\(error?.message ?? "")")
    }

    @Test func `mutated files are accepted or refused, and never end the process`() throws {
        let encoder = TinyEncoder(labels: ["no", "perhaps", "yes"])
        let files = [try TinyQwen3().write(to: folder), try encoder.writeGGUF(to: folder)]
        let mutations = try GGUFMutations(of: files)
        #expect(mutations.count >= 300)
        var counts = (accepted: 0, refused: 0)
        for mutation in mutations {
            let url = try folder.write("mutated.gguf", mutation.bytes())
            do {
                let file = try GGUFCheck.open(url)
                // What was accepted can be described.
                let facts = try GGUFModelFacts(file)
                #expect(facts.memory(context: .max).total > 0)
                counts.accepted += 1
                #expect(!mutation.mustBeRefused, "\(mutation.name)")
            } catch let error as BreezeError {
                counts.refused += 1
                #expect([.invalidFile, .unsupported].contains(error.code), "\(mutation.name): \(error)")
                #expect(error.message.contains(url.path), "\(mutation.name)")
            }
        }
        #expect(counts.accepted >= 20 && counts.refused >= 250, "\(counts)")
    }
}
