#if Llama
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeLlamaRunner

@Suite struct LlamaChatTests {
    private let folder: ScratchFolder
    private let runner: LlamaRunner

    init() async throws {
        folder = try ScratchFolder()
        runner = try await Self.runner(TinyQwen3(), in: folder)
    }

    private static func runner(_ model: TinyQwen3, in folder: ScratchFolder) async throws -> LlamaRunner {
        let info = ModelInfo(id: "tiny", format: .gguf, capabilities: [.chat])
        let runner = LlamaRunner(model: info, file: try model.write(to: folder, under: "\(UUID()).gguf"))
        try await runner.load()
        return runner
    }

    private func request(_ configuration: InferenceConfig, _ prompt: String = "Hello") -> InferenceRequest {
        InferenceRequest(.chat, prompt: prompt, configuration: configuration)
    }

    /// What a caller sees of a streamed answer.
    private func stream(_ request: InferenceRequest) async throws -> (
        chunks: [InferenceChunk], result: InferenceResult
    ) {
        let seen = Collected()
        let result = try await runner.run(request: request, into: ChunkSink { chunk in seen.add(chunk) })
        return (seen.chunks, result)
    }

    @Test func `the chunks are the answer, and the counts are those of the tokens`() async throws {
        var configuration = InferenceConfig(temperature: 0, maxTokens: 20)
        configuration.logprobs = 3
        let (chunks, result) = try await stream(request(configuration))
        #expect(chunks.compactMap(\.text).joined() == result.output.text)
        #expect(result.finishReason == .length)
        // The template puts 33 bytes around the five; its three control tokens are one token each.
        #expect(result.usage.outputTokens == 20)
        let steps = try #require(result.logprobs)
        #expect(steps.count == 20)
        for step in steps {
            #expect(step.chosen == step.top[0])
            #expect(step.top.map(\.logprob) == step.top.map(\.logprob).sorted(by: >))
            #expect(step.top.reduce(0) { $0 + exp($1.logprob) } <= 1.000_001)
        }
        #expect(steps.flatMap(\.chosen.bytes).count == 20)
        #expect(try #require(result.timings.prefill) > 0 && result.timings.decode ?? 0 > 0)
    }

    @Test func `what was read before is not read again, and changes nothing`() async throws {
        let configuration = InferenceConfig(temperature: 0, maxTokens: 12)
        let first = try await runner.run(request: request(configuration))
        #expect(first.usage.cachedTokens == nil)
        let again = try await runner.run(request: request(configuration))
        #expect(again.output == first.output)
        #expect(again.usage.cachedTokens == again.usage.inputTokens - 1)
        let other = try await runner.run(request: request(configuration, "Help"))
        let fresh = try await Self.runner(TinyQwen3(), in: folder)
        #expect(try await fresh.run(request: request(configuration, "Help")).output == other.output)
        #expect(other.usage.cachedTokens ?? 0 > 3)
    }

    @Test(arguments: [1, 2, 3])
    func `the best tokens alone give the draws that the whole vocabulary gives`(seed: Int) async throws {
        func answer(penalty: Double?) async throws -> InferenceOutput {
            let configuration = InferenceConfig(
                temperature: 1.5,
                topK: 40,
                repetitionPenalty: penalty,
                seed: seed,
                maxTokens: 60
            )
            return try await runner.run(request: request(configuration)).output
        }
        // A penalty, be it one that changes no draw, has every token looked at.
        #expect(try await answer(penalty: nil) == answer(penalty: 1.000_001))
    }

    @Test func `a seed repeats exactly, another one does not`() async throws {
        func answer(_ seed: Int) async throws -> String? {
            let configuration = InferenceConfig(temperature: 1.2, seed: seed, maxTokens: 40)
            return try await runner.run(request: request(configuration)).output.text
        }
        let first = try await answer(7)
        #expect(try await answer(7) == first)
        #expect(try await answer(8) != first)
    }

    @Test(arguments: 0..<5)
    func `a guided answer satisfies its schema at any seed`(seed: Int) async throws {
        var configuration = InferenceConfig(temperature: 1, seed: seed, maxTokens: 600)
        configuration.guidedOutput = [
            "type": "object", "required": ["label", "score"], "additionalProperties": false,
            "properties": [
                "label": ["enum": ["spam", "work"]],
                "score": ["type": "integer", "minimum": 0, "maximum": 9],
            ],
        ]
        let text = try await runner.run(request: request(configuration)).output.text ?? ""
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(["spam", "work"].contains(value["label"]?.stringValue))
        #expect((0...9).contains(value["score"]?.intValue ?? -1))
        #expect(value.objectValue?.count == 2)
    }

    @Test func `a guided answer that is cut off is an error and no half JSON`() async throws {
        var configuration = InferenceConfig(temperature: 0, maxTokens: 3)
        configuration.guidedOutput = ["type": "array", "items": ["type": "integer"], "minItems": 5]
        let asked = request(configuration)
        let error = await #expect(throws: BreezeError.self) { try await runner.run(request: asked) }
        #expect(error?.code == .invalidOutput)
    }

    @Test func `a context larger than the memory is refused before it is made, and a smaller one answers`()
        async throws
    {
        var model = TinyQwen3()
        // 64 layers of 2 heads of 16 for keys and for values in F16: 8 KiB a token, 128 GiB in all.
        (model.context, model.layers) = (1 << 24, 64)
        let runner = try await Self.runner(model, in: folder)
        let large = request(InferenceConfig(maxTokens: 4, contextSize: 1 << 24))
        let error = await #expect(throws: BreezeError.self) { try await runner.run(request: large) }
        #expect(error?.code == .insufficientMemory)
        #expect(error?.message.contains("tokens needs about") == true)
        let small = request(InferenceConfig(maxTokens: 4, contextSize: 512))
        // It may end by itself before.
        #expect((1...4).contains(try await runner.run(request: small).usage.outputTokens))
    }

    @Test func `a prompt over the limit is refused with both numbers`() async throws {
        let asked = request(InferenceConfig(contextSize: 64), String(repeating: "a", count: 200))
        let error = await #expect(throws: BreezeError.self) { try await runner.run(request: asked) }
        #expect(error?.code == .contextSizeExceeded)
        #expect(
            error?.message.contains("room for 64") == true
        )
    }

    @Test func `an answer ends where the context is full, and says so`() async throws {
        let result = try await runner.run(request: request(InferenceConfig(temperature: 0, contextSize: 256)))
        #expect(result.usage.inputTokens + result.usage.outputTokens <= 256)
        if result.finishReason == .length { #expect(result.notices.first?.contains("256 tokens") == true) }
    }

    @Test func `stop texts are left out, across tokens`() async throws {
        let whole = try await runner.run(request: request(InferenceConfig(temperature: 0, maxTokens: 40)))
        let text = Array((whole.output.text ?? "").unicodeScalars)
        try #require(text.count > 12)
        let stop = String(String.UnicodeScalarView(text[8..<10]))
        let stopped = try await runner.run(
            request: request(InferenceConfig(temperature: 0, maxTokens: 40, stop: [stop]))
        )
        let expected = (whole.output.text ?? "").firstRange(of: stop).map {
            whole.output.text?[..<$0.lowerBound] ?? ""
        }
        #expect(stopped.output.text == expected.map { String($0) })
        #expect(stopped.finishReason == .stop)
    }

    @Test func `a cancelled answer ends soon, in reading and in writing`() async throws {
        let runner = runner
        // What is most likely never ends by itself.
        let writing = request(InferenceConfig(temperature: 0, contextSize: 2_048))
        let begun = Gate()
        let task = Task {
            try await runner.run(request: writing, into: ChunkSink { _ in begun.open() })
        }
        await begun.pass()
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        let after = try await runner.run(request: request(InferenceConfig(temperature: 0, maxTokens: 3)))
        #expect(after.usage.outputTokens == 3)
    }

    @Test func `a file without a template cannot chat, and says so`() async throws {
        var model = TinyQwen3()
        model.template = nil
        let mute = try await Self.runner(model, in: folder)
        let asked = request(InferenceConfig())
        let error = await #expect(throws: BreezeError.self) { try await mute.run(request: asked) }
        #expect(error?.message.contains("no chat template") == true)
    }

    @Test func `a template that does not parse is an invalid file`() async throws {
        var model = TinyQwen3()
        model.template = "{% for m in messages %}{{ m.content"
        let broken = model
        let error = await #expect(throws: BreezeError.self) { try await Self.runner(broken, in: folder) }
        #expect(error?.code == .invalidFile)
    }

    @Test func `unloading gives the model back`() async throws {
        await runner.unload()
        let asked = request(InferenceConfig())
        let error = await #expect(throws: BreezeError.self) { try await runner.run(request: asked) }
        #expect(error?.code == .loadFailed)
        try await runner.load()
        #expect(try await runner.run(request: request(InferenceConfig(maxTokens: 1))).usage.outputTokens == 1)
    }
}
#endif
