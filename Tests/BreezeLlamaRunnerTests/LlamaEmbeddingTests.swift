#if Llama
import BreezeCore
import BreezeModels
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeLlamaRunner

@Suite struct LlamaEmbeddingTests {
    private static func runner(_ encoder: TinyEncoder, in folder: ScratchFolder) async throws -> LlamaRunner {
        let info = ModelInfo(id: "tiny-bert", format: .gguf, capabilities: [.embedding])
        let runner = LlamaRunner(model: info, file: try encoder.writeGGUF(to: folder))
        try await runner.load()
        return runner
    }

    @Test func `a BERT's vectors are unit vectors, one a text, in order`() async throws {
        let folder = try ScratchFolder()
        let runner = try await Self.runner(TinyBERT(), in: folder)
        let texts = ["a b", "b", "a b"]
        let result = try await runner.run(request: InferenceRequest(.embedding, inputs: texts))
        guard case .embeddings(let vectors) = result.output else {
            throw BreezeError(.internalError, "no vectors")
        }
        #expect(vectors.count == 3)
        #expect(vectors[0] == vectors[2] && vectors[0] != vectors[1])
        for vector in vectors { #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5) }
    }

    @Test func `a text that is longer than the model reads is refused`() async throws {
        let folder = try ScratchFolder()
        let runner = try await Self.runner(TinyBERT(), in: folder)
        let asked = InferenceRequest(.embedding, prompt: String(repeating: "a ", count: 4_000))
        let error = await #expect(throws: BreezeError.self) { try await runner.run(request: asked) }
        #expect(error?.code == .contextSizeExceeded)
    }
}
#endif
