#if Llama
import BreezeCore

extension LlamaSession {
    /// Embeds one text after another: a micro-batch of several computes attention across all of them and masks it.
    func embed(
        _ request: InferenceRequest,
        as signature: Signature,
        into sink: ChunkSink
    ) async throws -> InferenceResult {
        var vectors: [[Float]] = []
        var tokens = 0
        for (index, text) in request.texts.enumerated() {
            try Task.checkCancellation()
            let (vector, count) = try embed(text)
            vectors.append(vector)
            tokens += count
            try await sink.send(
                InferenceChunk(requestID: request.id, .embedding(index: index, vector: vector))
            )
        }
        return InferenceResult(
            requestID: request.id,
            output: .embeddings(vectors),
            runner: signature.runner,
            model: signature.model,
            runtime: "llama.cpp",
            usage: Usage(inputTokens: tokens)
        )
    }
}
#endif
