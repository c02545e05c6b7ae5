#if Llama
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeLlamaRunner

/// Held against what llama-server of the same source answers; `make oracle` asks it anew.
@Suite struct ServerOracleTests {
    private struct Oracle: Decodable {
        struct Case: Decodable {
            let messages: [ChatMessage]
            let prompt: String
            let promptTokens: [Int32]
            let answer: [Int]
        }

        let tokens: Int
        let cases: [Case]
    }

    private static func oracle() throws -> Oracle {
        let file = try #require(
            Bundle.module.url(forResource: "llama-server", withExtension: "json", subdirectory: "Fixtures")
        )
        return try JSONDecoder().decode(Oracle.self, from: Data(contentsOf: file))
    }

    @Test func `ten conversations are read and answered token for token as llama-server does`() async throws {
        let folder = try ScratchFolder()
        let file = try TinyQwen3().write(to: folder)
        let session = try await LlamaSession.open(file, threads: 1) { _ in true }
        let oracle = try Self.oracle()
        #expect(oracle.cases.count == 10)
        for (index, expected) in oracle.cases.enumerated() {
            var configuration = InferenceConfig(temperature: 0, maxTokens: oracle.tokens)
            configuration.logprobs = 1
            let request = InferenceRequest(.chat, messages: expected.messages, configuration: configuration)
            let prompt = try await session.tokens(of: request)
            #expect(prompt.text == expected.prompt, "conversation \(index)")
            #expect(prompt.tokens == expected.promptTokens, "conversation \(index)")
            let signature = LlamaSession.Signature(runner: "llama:tiny", model: "tiny")
            let result = try await session.chat(request, as: signature, into: ChunkSink(callback: nil))
            #expect(result.logprobs?.map(\.chosen.id) == expected.answer, "conversation \(index)")
        }
    }
}

extension LlamaSession {
    fileprivate func tokens(of request: InferenceRequest) throws -> (text: String, tokens: [Int32]) {
        let prompt = try prompt(of: request)
        return (prompt.applied.prompt, prompt.tokens)
    }
}
#endif
