package import BreezeCore

/// `POST /v1/responses`, stateless and on top of an earlier response.
package struct ResponsesCall: Sendable {
    package var generation: Generation
    /// The turns of this body alone, instructions apart.
    package var turns: [ChatMessage]
    /// A system turn of this response; those of an earlier one do not count any more.
    package var instructions: String?
    /// The response whose conversation this one goes on with.
    package var previousResponseID: String?
    /// Whether a later response may go on with this one.
    package var stores: Bool
    /// What the answer repeats of the body, as the body had it.
    let echo: ResponsesEcho

    package var model: String { generation.model }
    package var streams: Bool { generation.streams }
    package var id: String { "resp_\(generation.id)" }

    package init(parsing body: [UInt8]) throws {
        let remarks: WireRemarks
        (self, remarks) = try WireBody.read(body) { try Self(&$0) }
        generation.remarks = remarks
    }

    /// The request for the engine; `earlier` are the turns of the response that ``previousResponseID`` names, its
    /// answer included.
    package func request(after earlier: [ChatMessage] = []) -> InferenceRequest {
        var request = generation.requests.first ?? InferenceRequest(.chat)
        let conversation = earlier + turns
        request.messages = (instructions.map { [ChatMessage(.system, $0)] } ?? []) + conversation
        request.capability = conversation.contains { $0.images != nil } ? .vlm : .chat
        return request
    }

    /// What a later response goes on with: every turn so far and this answer.
    package func conversation(after earlier: [ChatMessage] = [], _ result: InferenceResult) -> [ChatMessage] {
        let calls = result.toolCalls.isEmpty ? nil : result.toolCalls
        return earlier + turns + [ChatMessage(.assistant, result.output.text ?? "", toolCalls: calls)]
    }

    private init(_ fields: inout WireFields) throws {
        let model = try fields.requiredString("model")
        turns = try fields.responseInput()
        instructions = try fields.string("instructions")
        previousResponseID = try fields.string("previous_response_id")
        stores = try fields.bool("store") ?? true
        var config = try fields.openAISampling()
        config.maxTokens = try fields.integer("max_output_tokens", in: 1...Int.max) ?? config.maxTokens
        let tools = fields.peek("tools")
        let choice = fields.peek("tool_choice")
        let format = try Self.format(&fields, into: &config)
        config.tools = try fields.flatTools()
        config.toolChoice = try fields.toolChoice(among: config.tools)
        try fields.object("reasoning") { reasoning in
            try reasoning.thinking("effort", into: &config)
            // The thinking itself is given, which is more than a summary of it.
            reasoning.accept("summary", "generate_summary")
        }
        let topLogprobs = try Self.logprobs(&fields)
        config.logprobs = topLogprobs.map { max(1, $0) }
        try Self.refuse(&fields)
        var request = InferenceRequest(.chat, configuration: config)
        request.modelID = model
        generation = Generation(
            model: model,
            requests: [request],
            streams: try fields.bool("stream") ?? false
        )
        generation.topLogprobs = topLogprobs
        generation.allowsParallelCalls = try fields.bool("parallel_tool_calls") ?? true
        echo = ResponsesEcho(
            tools: try tools?.jsonValue(at: fields.path.member("tools")) ?? [],
            toolChoice: try choice?.jsonValue(at: fields.path.member("tool_choice")) ?? "auto",
            format: try format?.jsonValue(at: fields.path.member("text")) ?? ["type": "text"],
            metadata: try fields.metadata()
        )
    }

    /// - Returns: `text.format`, as the body had it.
    private static func format(
        _ fields: inout WireFields,
        into config: inout InferenceConfig
    ) throws -> StrictJSON? {
        try fields.object("text") { text in
            try text.refuse("verbosity", remedy: "Ask for it in the instructions.") { $0.string == "medium" }
            let format = text.peek("format")
            config.guidedOutput = try text.object("format") { try $0.answerSchema(isNested: false) } ?? nil
            return format
        } ?? nil
    }

    private static func logprobs(_ fields: inout WireFields) throws -> Int? {
        let count = try fields.integer("top_logprobs", in: 0...20)
        let included = try fields.strings("include") ?? []
        let wants = included.contains("message.output_text.logprobs")
        return wants || count ?? 0 > 0 ? count ?? 0 : nil
    }

    private static func refuse(_ fields: inout WireFields) throws {
        let past = "Send the turns as input, or a previous_response_id."
        try fields.refuse("conversation", "is kept nowhere here", remedy: past)
        try fields.refuse("prompt", "names a template, and none is kept", remedy: "Send its text as input.")
        try fields.refuse("background", "cannot be honoured", remedy: "Use stream.") { $0.bool == false }
        try fields.refuse("truncation", "would leave out turns silently", remedy: "Send fewer turns.") {
            $0.string == "disabled"
        }
        // Tools of OpenAI's own make the calls that this one counts, and there are none here.
        fields.accept("max_tool_calls")
        fields.accept("user", "safety_identifier", "prompt_cache_key", "prompt_cache_retention")
        _ = try fields.includesUsage()
    }
}

/// What a response repeats of its request.
struct ResponsesEcho: Sendable {
    let tools: JSONValue
    let toolChoice: JSONValue
    let format: JSONValue
    let metadata: JSONValue?
}
