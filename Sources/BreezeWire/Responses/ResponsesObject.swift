package import BreezeCore
package import Foundation

/// One thing that a response puts out. Text before a call, and thinking before text, are items of their own.
enum ResponsesItem: Sendable {
    case reasoning(id: String, text: String)
    case message(id: String, text: String)
    case call(id: String, ToolCall)

    func write(status: String, logprobs: ResponsesLogprobs?, to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .reasoning(let id, let text):
                writer.field("type", "reasoning")
                writer.field("id", id)
                writer.array("summary") { _ in }
                writer.array("content") { writer in
                    if !text.isEmpty { writer.object { Self.thought(text, to: &$0) } }
                }
            case .message(let id, let text):
                writer.field("type", "message")
                writer.field("id", id)
                writer.field("role", "assistant")
                writer.array("content") { writer in
                    guard status != "in_progress" else { return }
                    writer.object { Self.text(text, logprobs, to: &$0) }
                }
            case .call(let id, let call):
                writer.field("type", "function_call")
                writer.field("id", id)
                writer.field("call_id", call.id)
                writer.field("name", call.name)
                writer.field("arguments", status == "in_progress" ? "" : call.arguments.wireText)
            }
            writer.field("status", status)
        }
    }

    static func text(_ text: String, _ logprobs: ResponsesLogprobs?, to writer: inout JSONWriter) {
        writer.field("type", "output_text")
        writer.field("text", text)
        writer.array("annotations") { _ in }
        writer.array("logprobs") { logprobs?.write(to: &$0) }
    }

    static func thought(_ text: String, to writer: inout JSONWriter) {
        writer.field("type", "reasoning_text")
        writer.field("text", text)
    }

    var id: String {
        switch self {
        case .reasoning(let id, _), .message(let id, _), .call(let id, _): id
        }
    }
}

struct ResponsesLogprobs: Sendable {
    let steps: [TokenLogprobs]
    let top: Int

    init?(_ result: InferenceResult, top: Int?) {
        guard let top, let steps = result.logprobs else { return nil }
        self.steps = steps
        self.top = top
    }

    /// The elements of a list.
    func write(to writer: inout JSONWriter) { OpenAIValues.steps(steps, top: top, to: &writer) }
}

extension ResponsesCall {
    /// The whole answer; `reasoning` is what the model thought aloud, which the result does not hold.
    package func answer(_ result: InferenceResult, reasoning: String = "", created: Date) throws -> [UInt8] {
        try generation.check(result)
        let items = items(result, reasoning: reasoning)
        return JSONWriter.object { write(.ended(result), items, created, to: &$0) }
    }

    func items(_ result: InferenceResult, reasoning: String) -> [ResponsesItem] {
        var items: [ResponsesItem] = []
        let text = result.output.text ?? ""
        if !reasoning.isEmpty { items.append(.reasoning(id: itemID("rs", 0), text: reasoning)) }
        if !text.isEmpty || result.toolCalls.isEmpty {
            items.append(.message(id: itemID("msg", items.count), text: text))
        }
        for call in result.toolCalls { items.append(.call(id: itemID("fc", items.count), call)) }
        return items
    }

    func itemID(_ prefix: String, _ index: Int) -> String { "\(prefix)_\(generation.id)-\(index)" }

    /// Where a response stands.
    enum Progress {
        case begun
        case ended(InferenceResult)
        case failed(BreezeError)
    }

    /// The members of a response object.
    func write(
        _ progress: Progress,
        _ items: [ResponsesItem],
        _ created: Date,
        to writer: inout JSONWriter
    ) {
        writer.field("id", id)
        writer.field("object", "response")
        writer.field("created_at", WireTime.seconds(created))
        writer.field("status", Self.status(progress))
        writer.field("model", model)
        outcome(progress, to: &writer)
        var result: InferenceResult?
        if case .ended(let ended) = progress { result = ended }
        let logprobs = result.flatMap { ResponsesLogprobs($0, top: generation.topLogprobs) }
        writer.array("output") { writer in
            for item in items {
                item.write(status: Self.itemStatus(progress), logprobs: logprobs, to: &writer)
            }
        }
        settings(to: &writer)
        guard let result else { return writer.field(null: "usage") }
        let thinks = items.contains { if case .reasoning = $0 { true } else { false } }
        Self.usage(result, thinks: thinks, to: &writer)
        writer.field("breeze", BreezeAccount([result], generation.remarks))
    }

    private func outcome(_ progress: Progress, to writer: inout JSONWriter) {
        if case .failed(let error) = progress {
            writer.object("error") { writer in
                writer.field("code", Self.errorCode(error))
                writer.field("message", WireFailure.sentence(error))
            }
        } else {
            writer.field(null: "error")
        }
        if case .ended(let result) = progress, let reason = Self.incompleteness(result) {
            writer.object("incomplete_details") { $0.field("reason", reason) }
        } else {
            writer.field(null: "incomplete_details")
        }
    }

    private func settings(to writer: inout JSONWriter) {
        let config = generation.requests.first?.configuration
        writer.field("instructions", instructions)
        writer.field("previous_response_id", previousResponseID)
        writer.field("max_output_tokens", config?.maxTokens)
        writer.field("temperature", config?.temperature)
        writer.field("top_p", config?.topP)
        writer.field("parallel_tool_calls", generation.allowsParallelCalls)
        writer.field("tool_choice", echo.toolChoice)
        writer.field("tools", echo.tools)
        writer.object("text") { $0.field("format", echo.format) }
        writer.field("truncation", "disabled")
        writer.field("store", stores)
        writer.field("metadata", echo.metadata ?? [:])
    }

    /// How much of the answer was thinking is counted by no runner: it is left out unless there was none.
    private static func usage(_ result: InferenceResult, thinks: Bool, to writer: inout JSONWriter) {
        let usage = result.usage
        writer.object("usage") { writer in
            writer.field("input_tokens", usage.inputTokens)
            writer.object("input_tokens_details") { writer in
                writer.field("cached_tokens", usage.cachedTokens ?? 0)
                // What a service bills for; here nothing is billed.
                writer.field("cache_write_tokens", 0)
            }
            writer.field("output_tokens", usage.outputTokens)
            if !thinks { writer.object("output_tokens_details") { $0.field("reasoning_tokens", 0) } }
            writer.field("total_tokens", usage.inputTokens + usage.outputTokens)
        }
    }

    /// The words that a response object has for it; Breeze's own stands in the event behind it.
    private static func errorCode(_ error: BreezeError) -> String {
        switch WireFailure.status(of: error) {
        case 429: "rate_limit_exceeded"
        case ..<500: "invalid_prompt"
        default: "server_error"
        }
    }

    static func incompleteness(_ result: InferenceResult) -> String? {
        switch result.finishReason {
        case .length: "max_output_tokens"
        case .contentFilter: "content_filter"
        case .stop, .toolCalls: nil
        }
    }

    private static func status(_ progress: Progress) -> String {
        switch progress {
        case .begun: "in_progress"
        case .ended(let result): incompleteness(result) == nil ? "completed" : "incomplete"
        case .failed: "failed"
        }
    }

    private static func itemStatus(_ progress: Progress) -> String {
        switch progress {
        case .begun: "in_progress"
        case .failed: "incomplete"
        case .ended: status(progress)
        }
    }
}
