import BreezeCore

/// What can be set for a GGUF chat model. The defaults are llama.cpp's own (`common_params_sampling` in
/// `common/common.h` of version 0.5.0-dev), so that an answer is the one llama-server would give.
///
/// The sampler's steps come in llama.cpp's order: penalties, top-k, top-p, min-p, temperature, then the draw.
enum LlamaParameters {
    static let thinking = "thinking"

    static let schema = ParameterSchema([
        ParameterDescriptor(
            "temperature",
            "Temperature",
            summary: "0 always takes the likeliest token; higher is more varied.",
            kind: .number(min: 0, max: 5),
            default: 0.8
        ),
        ParameterDescriptor(
            "topK",
            "Top k",
            summary: "Keep so many of the likeliest tokens; 0 keeps all.",
            kind: .integer(min: 0, max: 1_000_000),
            default: 40
        ),
        ParameterDescriptor(
            "topP",
            "Top p",
            summary: "Keep the likeliest tokens that together reach this probability; 1 keeps all.",
            kind: .number(min: 0, max: 1),
            default: 0.95
        ),
        ParameterDescriptor(
            "minP",
            "Min p",
            summary: "Keep tokens at least this likely, relative to the likeliest; 0 keeps all.",
            kind: .number(min: 0, max: 1),
            default: 0.05
        ),
        ParameterDescriptor(
            "repetitionPenalty",
            "Repetition penalty",
            summary: "Divides the score of what the last 64 tokens held; 1 is none.",
            kind: .number(min: 0.01, max: 10),
            default: 1
        ),
        ParameterDescriptor(
            "frequencyPenalty",
            "Frequency penalty",
            summary: "Lowers a token's score for each time that the last 64 tokens held it.",
            kind: .number(min: -10, max: 10),
            default: 0
        ),
        ParameterDescriptor(
            "presencePenalty",
            "Presence penalty",
            summary: "Lowers a token's score where the last 64 tokens held it.",
            kind: .number(min: -10, max: 10),
            default: 0
        ),
        ParameterDescriptor(
            "seed",
            "Seed",
            summary: "Makes a draw repeat exactly; left out, each answer is drawn anew.",
            kind: .integer(min: 0, max: Int(UInt32.max) - 1)
        ),
        ParameterDescriptor(
            "maxTokens",
            "Longest answer",
            summary: "Most tokens to generate; left out, until the context is full.",
            kind: .integer(min: 1, max: 10_000_000)
        ),
        ParameterDescriptor(
            "stop",
            "Stop texts",
            summary: "The answer ends before the first of these.",
            kind: .strings(maxCount: 64)
        ),
        ParameterDescriptor(
            "contextSize",
            "Context size",
            summary: "Tokens of input and output together; the model's own limit caps it.",
            kind: .integer(min: 64, max: 16_777_216),
            default: .integer(defaultContextSize)
        ),
        ParameterDescriptor(
            "logprobs",
            "Log-probabilities",
            summary: "Report so many of the likeliest tokens at each step, before sampling changed them.",
            kind: .integer(min: 0, max: 100),
            default: 0
        ),
        ParameterDescriptor(
            thinking,
            "Thinking",
            summary: "Let a model that can do so think before it answers.",
            kind: .boolean,
            default: true
        ),
    ])

    /// What fits beside other programs on a small device; a setting or a request asks for more.
    static let defaultContextSize = 4_096
}
