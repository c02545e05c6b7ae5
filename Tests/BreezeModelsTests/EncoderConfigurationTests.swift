import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct EncoderConfigurationTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func refusal(_ directory: URL) -> BreezeError? {
        #expect(throws: BreezeError.self) { try EncoderConfiguration(directory: directory) }
    }

    @Test func `a sentence-transformers folder is read`() throws {
        let configuration = try EncoderConfiguration(directory: try TinyBERT().write(to: folder))
        #expect(configuration.width == 16)
        #expect(configuration.layers == 2)
        #expect(configuration.heads == 4)
        #expect(configuration.intermediateWidth == 24)
        #expect(configuration.vocabularySize == 12)
        #expect(configuration.positions == 32)
        #expect(configuration.maximumLength == 16)
        #expect(configuration.pooling == .mean)
        #expect(configuration.normalizes)
        #expect(configuration.activation == .gelu)
        #expect(configuration.normEpsilon == 1e-12)
    }

    @Test func `a bare encoder is pooled by the mean and not normalised`() throws {
        let configuration = try EncoderConfiguration(directory: try TinyBERT(pooling: nil).write(to: folder))
        #expect(configuration.pooling == .mean)
        #expect(!configuration.normalizes)
        #expect(configuration.maximumLength == 32)
    }

    @Test(arguments: [
        ("hidden_size", "0"), ("hidden_size", "-16"), ("hidden_size", "1000000000"), ("hidden_size", "1.5"),
        ("hidden_size", "\"16\""), ("hidden_size", ""), ("num_attention_heads", "0"),
        ("num_attention_heads", "3"), ("num_attention_heads", "-4"), ("num_hidden_layers", "0"),
        ("num_hidden_layers", "9223372036854775807"), ("intermediate_size", "0"), ("vocab_size", "0"),
        ("vocab_size", "99999999999999999999"), ("max_position_embeddings", "0"), ("type_vocab_size", "0"),
        ("layer_norm_eps", "0"), ("layer_norm_eps", "-1"), ("layer_norm_eps", "1"), ("model_type", ""),
        ("model_type", "7"), ("hidden_act", "null"), ("is_decoder", "1"),
    ])
    func `an impossible number or a wrong type is refused by its key`(key: String, value: String) throws {
        let error = refusal(try TinyBERT(overrides: [key: value]).write(to: folder))
        #expect(error?.code == .invalidFile)
        #expect(error?.message.contains(key) == true, "\(error?.message ?? "no error")")
        #expect(error?.message.contains("config.json") == true)
    }

    @Test(arguments: [
        ("model_type", "\"llama\"", "llama"), ("hidden_act", "\"silu\"", "silu"),
        ("is_decoder", "true", "is_decoder"),
        ("position_embedding_type", "\"relative_key\"", "relative_key"),
    ])
    func `what Breeze cannot compute is refused by name`(key: String, value: String, named: String) throws {
        let error = refusal(try TinyBERT(overrides: [key: value]).write(to: folder))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(named) == true)
    }

    @Test(arguments: ["max_tokens", "mean_sqrt_len_tokens"])
    func `another pooling is refused by name`(mode: String) throws {
        let error = refusal(try TinyBERT(pooling: mode).write(to: folder))
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(mode) == true)
    }

    @Test(arguments: [
        ("modules.json", "[{\"type\": \"x.Transformer\", \"path\": \"\"}]", BreezeError.Code.invalidFile),
        ("modules.json", "{}", .invalidFile), ("modules.json", "[", .invalidFile),
        (
            "modules.json",
            #"[{"type":"Transformer","path":""},{"type":"Pooling","path":"1_Pooling"},{"type":"Dense"}]"#,
            .unsupported
        ),
        (
            "modules.json", #"[{"type":"x.Transformer","path":""},{"type":"x.Pooling","path":"../../etc"}]"#,
            .unsupported
        ),
        ("1_Pooling/config.json", "{}", .invalidFile),
        (
            "1_Pooling/config.json", #"{"pooling_mode_mean_tokens":true,"word_embedding_dimension":99}"#,
            .invalidFile
        ),
        (
            "1_Pooling/config.json", #"{"pooling_mode_mean_tokens":true,"pooling_mode_cls_token":true}"#,
            .unsupported
        ),
        ("sentence_bert_config.json", #"{"max_seq_length": 33}"#, .invalidFile),
        ("sentence_bert_config.json", #"{"max_seq_length": 0}"#, .invalidFile),
        ("sentence_bert_config.json", #"{"do_lower_case": "no"}"#, .invalidFile),
        ("config.json", "\u{FEFF}{}", .invalidFile), ("config.json", "", .invalidFile),
    ])
    func `a damaged file of the folder is refused by its name`(
        name: String,
        text: String,
        code: BreezeError.Code
    ) throws {
        let directory = try TinyBERT().write(to: folder)
        try folder.write("tiny-bert/\(name)", text)
        let error = refusal(directory)
        #expect(error?.code == code, "\(error?.message ?? "no error")")
        #expect(error?.message.contains(name) == true)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html>", "a web page"),
        ("version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
    ])
    func `a page or a pointer in place of a configuration is named`(text: String, kind: String) throws {
        let directory = try TinyBERT().write(to: folder)
        try folder.write("tiny-bert/config.json", text)
        #expect(refusal(directory)?.message.contains(kind) == true)
    }

    @Test func `a manifest from before heads and prompts still reads`() throws {
        let text = """
            {
              "encoder" : {
                "activation" : "gelu", "architecture" : "bert", "heads" : 12, "intermediateWidth" : 1536,
                "layers" : 6, "lowercasesFirst" : false, "maximumLength" : 256, "normEpsilon" : 1e-12,
                "normalizes" : true, "pooling" : "mean", "positions" : 512, "tokenTypes" : 2,
                "vocabularySize" : 30522, "width" : 384
              },
              "files" : [
                {
                  "name" : "model.safetensors", "size" : 90868376,
                  "sha256" : "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
                }
              ],
              "graph" : {
                "key" : "51ca5da8f63c62291239fbb636cca988348f900bdd8f12317d7490d048fc6de3",
                "kind" : "encoder-onnx",
                "sha256" : "0ea3b43f0dbd1b5b4cbecc342f0a16364b03c99c6f3f3a456631572043a98b28",
                "size" : 90302352, "version" : 1
              },
              "info" : {
                "architecture" : "bert", "capabilities" : [ "embedding", "classification" ],
                "contextLength" : 256, "estimatedMemory" : 147796992, "format" : "safetensors",
                "frameworks" : [ "onnxruntime" ], "id" : "all-minilm-l6-v2", "license" : "Apache-2.0",
                "name" : "all-minilm-l6-v2", "parameterCount" : 22565376, "quantization" : "F32",
                "size" : 181880603, "source" : "/models/all-minilm-l6-v2"
              },
              "schema" : 1
            }
            """
        let manifest = try JSONDecoder().decode(ModelManifest.self, from: Data(text.utf8))
        let encoder = try #require(manifest.encoder)
        #expect(encoder.width == 384)
        #expect(encoder.head == nil)
        #expect(encoder.prompts.isEmpty)
        #expect(encoder.defaultPrompt == nil)
        #expect(encoder.capabilities == [.embedding, .classification])
        #expect(encoder.longestSequence == 512)
        // And what is written today reads as it was.
        let written = try JSONEncoder().encode(encoder)
        #expect(try JSONDecoder().decode(EncoderConfiguration.self, from: written) == encoder)
    }

    @Test func `a folder without config is refused`() {
        #expect(refusal(folder.url)?.code == .inputOutput)
    }
}
