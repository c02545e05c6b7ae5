#if Llama
import BreezeCore
import CLlama

extension LlamaSession {
    /// Who answers, as the result names it.
    struct Signature {
        let runner: String
        let model: String
    }

    /// Reads the conversation and generates the answer, a chunk at a time.
    func chat(
        _ request: InferenceRequest,
        as signature: Signature,
        into sink: ChunkSink
    ) async throws -> InferenceResult {
        let schema = try request.configuration.guidedOutput.map(GuidedSchema.init)
        let prompt = try prompt(of: request)
        let context = try context(
            size: request.configuration.contextSize ?? LlamaParameters.defaultContextSize
        )
        // One token at least must fit behind it.
        guard prompt.tokens.count < context.size else {
            throw BreezeError.contextSizeExceeded(limit: context.size, asked: prompt.tokens.count)
        }
        context.cancel.reset()
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            let sampler = try LlamaSampler(
                model,
                configuration: request.configuration,
                chat: prompt.applied,
                grammar: prompt.grammar,
                prompt: prompt.tokens
            )
            var answer = try ChatAnswer(request, prompt, model, sink)
            try await generate(&answer, prompt, context, sampler)
            try schema?.validate(answer.text)
            return answer.result(signature)
        } onCancel: { [cancel = context.cancel] in
            cancel.set()
        }
    }

    private func generate(
        _ answer: inout ChatAnswer,
        _ prompt: Prompt,
        _ context: LlamaContext,
        _ sampler: LlamaSampler
    ) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        answer.cachedTokens = try context.prefill(prompt.tokens)
        var token = try context.next(sampler)
        let first = clock.now
        answer.timings.prefill = start.duration(to: first).seconds
        while true {
            if answer.wantsLogprobs { try context.withLogits { answer.note($0, chosen: token) } }
            try await answer.append(token)
            if answer.isOver { break }
            if prompt.tokens.count + answer.tokenCount >= context.size {
                answer.contextIsFull(context.size)
                break
            }
            try Task.checkCancellation()
            try context.advance(token)
            token = try context.next(sampler)
        }
        answer.timings.decode = first.duration(to: clock.now).seconds
        try await answer.finish()
    }
}
#endif
