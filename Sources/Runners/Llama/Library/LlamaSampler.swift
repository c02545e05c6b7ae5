#if Llama
import BreezeCore
import CLlama
import CLlamaCommon

/// Picks the next token, as llama-server does: penalties, filters, temperature, draw, and a grammar's veto.
final class LlamaSampler {
    private let pointer: OpaquePointer

    /// - Throws: A grammar that does not parse is an error and never free output.
    init(
        _ model: LlamaModel,
        configuration: InferenceConfig,
        chat: ChatTemplates.Applied,
        grammar: String?,
        prompt: [llama_token]
    ) throws {
        pointer = try lcResult("make a sampler") {
            lc_sampler_new(model.pointer, try Self.parameters(configuration, grammar), chat.json, &$0)
        }
        lc_sampler_accept_prompt(pointer, prompt, prompt.count)
    }

    deinit { lc_sampler_free(pointer) }

    private static func parameters(_ configuration: InferenceConfig, _ grammar: String?) throws -> String {
        var values: [String: JSONValue] = [:]
        values["temperature"] = configuration.temperature.map { .number($0) }
        values["top_k"] = configuration.topK.map { .integer($0) }
        values["top_p"] = configuration.topP.map { .number($0) }
        values["min_p"] = configuration.minP.map { .number($0) }
        values["repeat_penalty"] = configuration.repetitionPenalty.map { .number($0) }
        values["frequency_penalty"] = configuration.frequencyPenalty.map { .number($0) }
        values["presence_penalty"] = configuration.presencePenalty.map { .number($0) }
        values["seed"] = configuration.seed.map { .integer($0) }
        values["grammar"] = grammar.map { .string($0) }
        return try JSONValue.object(values).compactText()
    }

    func next(_ context: OpaquePointer) throws -> llama_token {
        var fault: UnsafeMutablePointer<CChar>?
        let token = lc_sampler_next(pointer, context, -1, &fault)
        guard token >= 0 else { throw lcError("choose a token", fault) }
        return token
    }
}

/// Calls one of our C functions that return a pointer, or `nil` and a reason.
func lcResult<Pointer>(
    _ purpose: String,
    code: BreezeError.Code = .runFailed,
    _ call: (inout UnsafeMutablePointer<CChar>?) throws -> Pointer?
) throws -> Pointer {
    var fault: UnsafeMutablePointer<CChar>?
    guard let result = try call(&fault) else { throw lcError(purpose, fault, code) }
    return result
}

/// The same for those that return a text.
func lcText(
    _ purpose: String,
    code: BreezeError.Code = .runFailed,
    _ call: (inout UnsafeMutablePointer<CChar>?) throws -> UnsafeMutablePointer<CChar>?
) throws -> String {
    let text = try lcResult(purpose, code: code, call)
    defer { lc_free(text) }
    return String(cString: text)
}

private func lcError(
    _ purpose: String,
    _ fault: UnsafeMutablePointer<CChar>?,
    _ code: BreezeError.Code = .runFailed
) -> BreezeError {
    let reason = fault.map { String(cString: $0) }
    lc_free(fault)
    return BreezeError(code, "llama.cpp could not \(purpose): \(reason ?? "it gives no reason").")
}
#endif
