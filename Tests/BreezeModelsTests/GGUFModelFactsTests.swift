import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeModels

struct GGUFModelFactsTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func facts(_ model: TinyQwen3) throws -> GGUFModelFacts {
        try GGUFModelFacts(GGUFCheck.open(model.write(to: folder, under: "\(UUID().uuidString).gguf")))
    }

    @Test func `a chat model's facts are what it was made with`() throws {
        var model = TinyQwen3()
        model.edit = { writer in
            writer.set("general.size_label", .string("47K"))
            writer.set("general.license", .string("apache-2.0"))
        }
        let facts = try facts(model)
        #expect(facts.architecture == "qwen3")
        #expect(facts.name == "random-qwen3-tiny")
        #expect(facts.sizeLabel == "47K")
        #expect(facts.license == "Apache-2.0")
        #expect(facts.quantization == "F16")
        #expect(facts.contextLength == 2048)
        #expect((facts.layerCount, facts.embeddingLength, facts.feedForwardLength) == (2, 64, 128))
        #expect((facts.headCount, facts.keyValueHeadCount) == (4, 2))
        #expect(facts.vocabularySize == 266)
        #expect(facts.tokenizer == "gpt2")
        #expect(facts.preTokenizer == "qwen2")
        #expect(facts.hasChatTemplate)
        #expect(facts.pooling == nil)
        #expect(facts.capabilities == [.chat])
        // Table 266 × 64; a layer: q and o 64 × 64, k and v 64 × 32, three of 64 × 128, two norms of 64 and
        // two of 16; the last norm.
        let layer = 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 128 + 2 * 64 + 2 * 16
        #expect(facts.parameterCount == Int64(266 * 64 + 2 * layer + 64))
    }

    @Test func `a model without a template or a licence has none`() throws {
        var model = TinyQwen3()
        model.template = nil
        let facts = try facts(model)
        #expect(!facts.hasChatTemplate)
        #expect(facts.license == nil)
    }

    @Test(
        arguments: [
            (nil, "mean_tokens", .mean, [.embedding]), (nil, "cls_token", .cls, [.embedding]),
            (["LABEL_0"], nil, .rank, [.rerank]), (["no", "yes"], nil, .rank, [.classification]),
        ] as [([String]?, String?, GGUFModelFacts.Pooling, [AICapability])]
    )
    func `an encoder's facts name its pooling and what it can do`(
        labels: [String]?,
        pooling: String?,
        expected: GGUFModelFacts.Pooling,
        capabilities: [AICapability]
    ) throws {
        let url = try TinyEncoder(pooling: pooling, labels: labels).writeGGUF(to: folder)
        let facts = try GGUFModelFacts(GGUFCheck.open(url))
        #expect(facts.pooling == expected)
        #expect(facts.capabilities == capabilities)
        #expect(facts.labels == labels ?? [])
        #expect(facts.tokenizer == "bert")
        #expect(facts.quantization == "F32")
        #expect(facts.contextLength == 32)
        #expect((facts.keyElements, facts.valueElements) == (0, 0))
    }

    /// `llama_ftype` in llama.h.
    @Test(arguments: [(0, "F32"), (7, "Q8_0"), (12, "Q3_K_M"), (15, "Q4_K_M"), (18, "Q6_K"), (32, "BF16")])
    func `the mix of quantisations has the name that its makers gave it`(code: UInt32, name: String) throws {
        var model = TinyQwen3()
        model.edit = { $0.set("general.file_type", .uint32(code)) }
        #expect(try facts(model).quantization == name)
    }

    @Test func `a mix that nobody states is told from the tensors`() throws {
        var model = TinyQwen3()
        model.type = .q8_0
        model.edit = { $0.set("general.file_type", .uint32(33)) }
        #expect(try facts(model).quantization == "Q8_0")
    }

    /// The cache by llama.cpp's own report for Qwen3-0.6B at 4,096 tokens: "KV self size = 448.00 MiB".
    @Test func `memory follows its formula`() throws {
        var model = TinyQwen3()
        (model.layers, model.keyValueHeads, model.heads, model.headLength) = (28, 8, 16, 128)
        (model.width, model.feedForward, model.context) = (2, 2, 40_960)
        let facts = try facts(model)
        let memory = facts.memory(context: 4_096)
        #expect(memory.keyValueCache == 448 << 20)
        #expect(memory.weights == facts.weightBytes)
        // 512 tokens × (4 × (266 logits + 4 × 2 + 3 × 2) + 2 × 4,096).
        #expect(memory.compute == 512 * (4 * (266 + 8 + 6) + 8_192))
        #expect(memory.total == memory.weights + memory.keyValueCache + memory.compute)
        // 34 bytes for 32 elements.
        #expect(facts.memory(context: 4_096, cacheType: .q8_0).keyValueCache == (224 << 20) * 34 / 32)
        // No more than the model's context.
        #expect(facts.memory(context: .max) == facts.memory(context: 40_960))
        #expect(facts.memory(context: 4_096, microBatch: 64).compute == memory.compute / 8)
    }
}
