import BreezeCore

/// What OpenAI's routes have in common.
enum OpenAIValues {
    static func finishReason(_ result: InferenceResult) -> String {
        // A limit and a guardian end an answer whatever calls it held; a call that is there is to be made.
        switch result.finishReason {
        case .length: "length"
        case .contentFilter: "content_filter"
        case .toolCalls: "tool_calls"
        case .stop: result.toolCalls.isEmpty ? "stop" : "tool_calls"
        }
    }

    /// An answer of several choices read its one question each time, and says so.
    static func usage(_ results: [InferenceResult], to writer: inout JSONWriter) {
        let input = results.reduce(0) { $0 + $1.usage.inputTokens }
        let output = results.reduce(0) { $0 + $1.usage.outputTokens }
        let cached = results.compactMap(\.usage.cachedTokens)
        writer.object("usage") { writer in
            writer.field("prompt_tokens", input)
            writer.field("completion_tokens", output)
            writer.field("total_tokens", input + output)
            guard !cached.isEmpty else { return }
            writer.object("prompt_tokens_details") { $0.field("cached_tokens", cached.reduce(0, +)) }
        }
    }

    static func toolCall(_ call: ToolCall, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", call.id)
            writer.field("type", "function")
            writer.object("function") { writer in
                writer.field("name", call.name)
                writer.field("arguments", call.arguments.wireText)
            }
        }
    }

    /// `{"content": […]}`, or `null` where nobody asked.
    static func logprobs(_ result: InferenceResult, top: Int?, to writer: inout JSONWriter) {
        guard let top, let steps = result.logprobs else {
            writer.field(null: "logprobs")
            return
        }
        writer.object("logprobs") { writer in
            writer.array("content") { Self.steps(steps, top: top, to: &$0) }
            writer.field(null: "refusal")
        }
    }

    static func steps(_ steps: [TokenLogprobs], top: Int, to writer: inout JSONWriter) {
        for step in steps {
            writer.object { writer in
                entry(step.chosen, to: &writer)
                writer.array("top_logprobs") { writer in
                    for candidate in step.top.prefix(top) { writer.object { entry(candidate, to: &$0) } }
                }
            }
        }
    }

    /// OpenAI's own word for a token that is as good as impossible.
    static func logprob(_ value: Double) -> Double { value.isFinite ? max(value, -9_999) : -9_999 }

    private static func entry(_ entry: TokenLogprobs.Entry, to writer: inout JSONWriter) {
        writer.field("token", entry.token)
        writer.field("logprob", logprob(entry.logprob))
        writer.field("bytes", entry.bytes)
    }
}
