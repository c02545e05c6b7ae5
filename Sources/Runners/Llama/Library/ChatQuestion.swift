#if Llama
import BreezeCore

/// A request as llama.cpp's template library takes it: messages and tools in OpenAI's form.
struct ChatQuestion {
    let request: InferenceRequest
    /// The template is to make a grammar of the request's schema. Its own allows more than the schema: a fence
    /// around the JSON, and thinking before it.
    var guides = false

    var json: String {
        get throws {
            let configuration = request.configuration
            var fields: [String: JSONValue] = [
                "messages": .array(try request.conversation.map(message)),
                "enable_thinking": .bool(thinks),
            ]
            if guides { fields["json_schema"] = configuration.guidedOutput }
            if let tools = try tools() {
                fields["tools"] = .array(tools.map(tool))
                fields["tool_choice"] = .string(choice)
                fields["parallel_tool_calls"] = true
            }
            return try JSONValue.object(fields).compactText()
        }
    }

    /// A guided answer is the JSON alone, so a model that can do without thinking does.
    private var thinks: Bool {
        request.configuration.guidedOutput == nil
            && request.configuration[parameter: LlamaParameters.thinking]?.boolValue ?? true
    }

    /// The tools that the model may call; `nil` where it may call none.
    private func tools() throws -> [ToolDefinition]? {
        let tools = request.configuration.tools ?? []
        switch request.configuration.toolChoice ?? .auto {
        case .none: return nil
        case .auto where tools.isEmpty: return nil
        case .auto: return tools
        case .required:
            guard !tools.isEmpty else { throw missing("a tool call is required, and it has no tools") }
            return tools
        case .named(let name):
            guard let tool = tools.first(where: { $0.name == name }) else {
                throw missing("the tool choice names \(name), which is none of its tools")
            }
            // One tool that must be called is that one.
            return [tool]
        }
    }

    private var choice: String {
        switch request.configuration.toolChoice ?? .auto {
        case .required, .named: "required"
        case .auto, .none: "auto"
        }
    }

    private func missing(_ fault: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "The request cannot be answered: \(fault).",
            remedy: "Define the tool in tools, or leave the tool choice out."
        )
    }

    private func message(_ message: ChatMessage) throws -> JSONValue {
        var fields: [String: JSONValue] = [
            "role": .string(message.role.rawValue), "content": .string(message.content),
        ]
        fields["tool_call_id"] = message.toolCallID.map { .string($0) }
        fields["tool_calls"] = try message.toolCalls.map { calls in
            .array(
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

    private func tool(_ tool: ToolDefinition) -> JSONValue {
        [
            "type": "function",
            "function": [
                "name": .string(tool.name), "description": .string(tool.description),
                "parameters": tool.parameters,
            ],
        ]
    }
}
#endif
