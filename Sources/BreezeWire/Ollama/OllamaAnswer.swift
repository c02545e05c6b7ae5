package import BreezeCore
package import Foundation

/// Which of Ollama's two routes an answer goes out by: they differ in where the text stands.
package enum OllamaRoute: Sendable {
    case chat, generate
}

extension Ollama {
    /// The whole answer; `reasoning` is what the model thought aloud, which the result does not hold.
    package static func answer(
        _ result: InferenceResult,
        to generation: Generation,
        route: OllamaRoute,
        reasoning: String = "",
        created: Date
    ) -> [UInt8] {
        let content = OllamaContent(
            text: result.output.text ?? "",
            thinking: reasoning,
            calls: result.toolCalls
        )
        return line(content, generation, route, created, ending: result)
    }

    /// The answer to a question without words: the model was loaded, or unloaded.
    package static func answer(
        loading generation: Generation,
        route: OllamaRoute,
        created: Date
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.field("model", generation.model)
            writer.field("created_at", WireTime.rfc3339(created))
            OllamaContent().write(route, to: &writer)
            writer.field("done", true)
            writer.field("done_reason", generation.purpose == .unload ? "unload" : "load")
            writer.object("breeze") { $0.field("ignored", generation.remarks.ignored) }
        }
    }

    /// One object: an answer, or an element of its stream.
    static func line(
        _ content: OllamaContent,
        _ generation: Generation,
        _ route: OllamaRoute,
        _ created: Date,
        ending result: InferenceResult? = nil
    ) -> [UInt8] {
        JSONWriter.object { writer in
            writer.field("model", generation.model)
            writer.field("created_at", WireTime.rfc3339(created))
            content.write(route, to: &writer)
            writer.field("done", result != nil)
            guard let result else { return }
            writer.field("done_reason", doneReason(result))
            if let top = generation.topLogprobs, let steps = result.logprobs {
                writer.array("logprobs") { OpenAIValues.steps(steps, top: top, to: &$0) }
            }
            counts(result, to: &writer)
            writer.field("breeze", BreezeAccount([result], generation.remarks))
        }
    }

    private static func doneReason(_ result: InferenceResult) -> String {
        switch result.finishReason {
        case .stop, .toolCalls: "stop"
        case .length: "length"
        case .contentFilter: "content_filter"
        }
    }

    /// Durations are nanoseconds; what nobody measured is left out.
    private static func counts(_ result: InferenceResult, to writer: inout JSONWriter) {
        let timings = result.timings
        writer.field("total_duration", WireTime.nanoseconds(timings.total))
        writer.field("load_duration", WireTime.nanoseconds(timings.load))
        writer.field("prompt_eval_count", result.usage.inputTokens)
        if let prefill = timings.prefill {
            writer.field("prompt_eval_duration", WireTime.nanoseconds(prefill))
        }
        writer.field("eval_count", result.usage.outputTokens)
        if let decode = timings.decode { writer.field("eval_duration", WireTime.nanoseconds(decode)) }
    }
}

/// What one object of an answer says.
struct OllamaContent {
    var text = ""
    var thinking = ""
    var calls: [ToolCall] = []

    func write(_ route: OllamaRoute, to writer: inout JSONWriter) {
        switch route {
        case .chat:
            writer.object("message") { writer in
                writer.field("role", "assistant")
                writer.field("content", text)
                if !thinking.isEmpty { writer.field("thinking", thinking) }
                guard !calls.isEmpty else { return }
                writer.array("tool_calls") { writer in
                    for call in calls { writer.object { Self.members(of: call, to: &$0) } }
                }
            }
        case .generate:
            writer.field("response", text)
            if !thinking.isEmpty { writer.field("thinking", thinking) }
        }
    }

    private static func members(of call: ToolCall, to writer: inout JSONWriter) {
        writer.field("id", call.id)
        writer.object("function") { writer in
            writer.field("name", call.name)
            writer.field("arguments", call.arguments)
        }
    }
}

/// NDJSON: a line a piece, and a last one with the counts and the `breeze` object.
package struct OllamaStream: WireStream {
    package static let contentType = LineStream.contentType

    private let generation: Generation
    private let route: OllamaRoute
    private let created: Date
    private var choice = StreamedChoice()

    package init(_ generation: Generation, route: OllamaRoute, created: Date) {
        self.generation = generation
        self.route = route
        self.created = created
    }

    package mutating func encode(_ chunk: InferenceChunk, choice: Int = 0) throws -> [UInt8] {
        guard !self.choice.hasEnded else { return [] }
        switch chunk.content {
        case .text(let text):
            self.choice.hasText = true
            return line(OllamaContent(text: text))
        case .reasoning(let text): return line(OllamaContent(thinking: text))
        case .toolCall(let call): return self.call(call)
        case .result(let result):
            let calls = result.toolCalls.reduce(into: []) { $0 += self.call($1) }
            self.choice.result = result
            let rest = self.choice.hasText ? "" : result.output.text ?? ""
            return calls + line(OllamaContent(text: rest), ending: result)
        // A line that is no part of the answer is none that a client expects.
        case .progress, .audio, .embedding, .classification: return []
        }
    }

    private mutating func call(_ call: ToolCall) -> [UInt8] {
        guard choice.calls.insert(call.id).inserted else { return [] }
        return line(OllamaContent(calls: [call]))
    }

    private func line(_ content: OllamaContent, ending result: InferenceResult? = nil) -> [UInt8] {
        LineStream.line(Ollama.line(content, generation, route, created, ending: result))
    }

    /// The line that is `done` was the last.
    package mutating func finish() -> [UInt8] { [] }

    package mutating func fail(_ error: BreezeError) -> [UInt8] {
        LineStream.line(WireFailure(error, .ollama).body)
    }
}
