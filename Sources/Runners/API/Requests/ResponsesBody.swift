import BreezeCore

/// The body of `responses`. The service is told to keep nothing of it.
enum ResponsesBody {
    static func make(_ question: Question) throws -> JSONValue {
        let configuration = question.configuration
        var fields = question.commonFields
        fields["store"] = false
        fields["input"] = .array(try question.turns.flatMap(items))
        fields["max_output_tokens"] = configuration.maxTokens.map { .integer($0) }
        if question.wantsLogprobs {
            fields["include"] = ["message.output_text.logprobs"]
            fields["top_logprobs"] = configuration.logprobs.map { .integer($0) }
        }
        if let tools = configuration.tools, !tools.isEmpty {
            fields["tools"] = .array(tools.map(tool))
            fields["tool_choice"] = configuration.toolChoice.map(choice)
            fields["parallel_tool_calls"] = question.parallelToolCalls
        }
        if let schema = configuration.guidedOutput {
            fields["text"] = [
                "format": ["type": "json_schema", "name": "answer", "strict": true, "schema": schema]
            ]
        }
        return .object(fields)
    }

    /// Left out, `strict` would have the service rewrite the tool's schema.
    private static func tool(_ tool: ToolDefinition) -> JSONValue {
        [
            "type": "function", "name": .string(tool.name), "description": .string(tool.description),
            "parameters": tool.parameters, "strict": false,
        ]
    }

    private static func choice(_ choice: ToolChoice) -> JSONValue {
        switch choice {
        case .auto: "auto"
        case .none: "none"
        case .required: "required"
        case .named(let name): ["type": "function", "name": .string(name)]
        }
    }

    /// A turn that calls tools is several items.
    private static func items(_ turn: ChatMessage) throws -> [JSONValue] {
        if turn.role == .tool {
            guard let id = turn.toolCallID else {
                throw BreezeError(
                    .invalidRequest,
                    "A tool's turn does not say which call it answers.",
                    remedy: "Set its toolCallID."
                )
            }
            return [
                [
                    "type": "function_call_output", "call_id": .string(id), "output": .string(turn.content),
                ]
            ]
        }
        var items: [JSONValue] = []
        let kind = turn.role == .assistant ? "output_text" : "input_text"
        var content: [JSONValue] = []
        if !turn.content.isEmpty { content.append(["type": .string(kind), "text": .string(turn.content)]) }
        content += try (turn.images ?? []).map {
            ["type": "input_image", "image_url": try ImageURL.make($0)]
        }
        if !content.isEmpty {
            items.append(
                ["type": "message", "role": .string(turn.role.rawValue), "content": .array(content)]
            )
        }
        return items
            + (try (turn.toolCalls ?? []).map { call in
                [
                    "type": "function_call", "call_id": .string(call.id), "name": .string(call.name),
                    "arguments": .string(try call.arguments.compactText()),
                ]
            })
    }
}
