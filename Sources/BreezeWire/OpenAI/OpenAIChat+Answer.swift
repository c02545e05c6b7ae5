package import BreezeCore
package import Foundation

extension OpenAIChat {
    /// The whole answer. `results` are one a request of `generation`, in that order; `reasoning` is what each choice
    /// thought aloud, which a result does not hold and the chunks before it do.
    package static func answer(
        _ results: [InferenceResult],
        to generation: Generation,
        reasoning: [String] = [],
        created: Date
    ) throws -> [UInt8] {
        for result in results { try generation.check(result) }
        return JSONWriter.object { writer in
            writer.field("id", "chatcmpl-\(generation.id)")
            writer.field("object", "chat.completion")
            writer.field("created", WireTime.seconds(created))
            writer.field("model", generation.model)
            writer.array("choices") { writer in
                for (index, result) in results.enumerated() {
                    let thought = reasoning.indices.contains(index) ? reasoning[index] : ""
                    choice(index, result, thought, top: generation.topLogprobs, to: &writer)
                }
            }
            OpenAIValues.usage(results, to: &writer)
            writer.field("breeze", BreezeAccount(results, generation.remarks))
        }
    }

    private static func choice(
        _ index: Int,
        _ result: InferenceResult,
        _ reasoning: String,
        top: Int?,
        to writer: inout JSONWriter
    ) {
        let text = result.output.text ?? ""
        writer.object { writer in
            writer.field("index", index)
            writer.object("message") { writer in
                writer.field("role", "assistant")
                writer.field("content", text.isEmpty && !result.toolCalls.isEmpty ? nil : text)
                if !reasoning.isEmpty { writer.field("reasoning_content", reasoning) }
                writer.field(null: "refusal")
                guard !result.toolCalls.isEmpty else { return }
                writer.array("tool_calls") { writer in
                    for call in result.toolCalls { OpenAIValues.toolCall(call, to: &writer) }
                }
            }
            OpenAIValues.logprobs(result, top: top, to: &writer)
            writer.field("finish_reason", OpenAIValues.finishReason(result))
        }
    }
}
