import BreezeCore

/// The body of `chat/completions`.
enum ChatBody {
    static func make(_ question: Question) throws -> JSONValue {
        let (configuration, service) = (question.configuration, question.service)
        var fields = question.commonFields
        fields["messages"] = .array(try question.turns.map(message))
        if service.streams { fields["stream_options"] = ["include_usage": true] }
        fields[service.tokenLimitField.rawValue] = configuration.maxTokens.map { .integer($0) }
        fields["top_k"] = configuration.topK.map { .integer($0) }
        fields["min_p"] = configuration.minP.map { .number($0) }
        fields["repetition_penalty"] = configuration.repetitionPenalty.map { .number($0) }
        fields["frequency_penalty"] = configuration.frequencyPenalty.map { .number($0) }
        fields["presence_penalty"] = configuration.presencePenalty.map { .number($0) }
        fields["seed"] = configuration.seed.map { .integer($0) }
        fields["stop"] = configuration.stop.map { .array($0.map { .string($0) }) }
        if question.wantsLogprobs {
            fields["logprobs"] = true
            fields["top_logprobs"] = configuration.logprobs.map { .integer($0) }
        }
        if let tools = configuration.tools, !tools.isEmpty {
            fields["tools"] = .array(tools.map(tool))
            fields["tool_choice"] = configuration.toolChoice.map(choice)
            fields["parallel_tool_calls"] = question.parallelToolCalls
        }
        if let schema = configuration.guidedOutput {
            fields["response_format"] = [
                "type": "json_schema",
                "json_schema": ["name": "answer", "strict": true, "schema": schema],
            ]
        }
        return .object(fields)
    }

    private static func tool(_ tool: ToolDefinition) -> JSONValue {
        [
            "type": "function",
            "function": [
                "name": .string(tool.name), "description": .string(tool.description),
                "parameters": tool.parameters,
            ],
        ]
    }

    private static func choice(_ choice: ToolChoice) -> JSONValue {
        switch choice {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .named(let name): ["type": "function", "function": ["name": .string(name)]]
        }
    }

    private static func message(_ turn: ChatMessage) throws -> JSONValue {
        var fields: [String: JSONValue] = [
            "role": .string(turn.role.rawValue), "content": .string(turn.content),
        ]
        if let images = turn.images, !images.isEmpty {
            let text: [JSONValue] =
                turn.content.isEmpty ? [] : [["type": "text", "text": .string(turn.content)]]
            fields["content"] = .array(
                text
                    + (try images.map { ["type": "image_url", "image_url": ["url": try ImageURL.make($0)]] })
            )
        }
        fields["tool_call_id"] = turn.toolCallID.map { .string($0) }
        if let calls = turn.toolCalls, !calls.isEmpty {
            if turn.content.isEmpty { fields["content"] = .null }
            fields["tool_calls"] = .array(
                try calls.map { call in
                    [
                        "type": "function", "id": .string(call.id),
                        "function": [
                            "name": .string(call.name),
                            "arguments": .string(try call.arguments.compactText()),
                        ],
                    ]
                }
            )
        }
        return .object(fields)
    }
}
