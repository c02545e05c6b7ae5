import BreezeCore

extension InferenceRequest {
    /// The call that a mock makes: the one that the tool choice demands, or a call to the tool that the last
    /// message speaks of. `nil` where a text is to be the answer.
    func mockToolCall() throws -> ToolCall? {
        guard let tool = try mockTool() else { return nil }
        let arguments = try SchemaSample.value(
            for: tool.parameters.asObjectSchema,
            parameter: "the parameters of the tool \(tool.name)"
        )
        // One call a request, so the request's id makes it unique within a conversation.
        return ToolCall(id: "call_\(id)", name: tool.name, arguments: arguments)
    }

    private func mockTool() throws -> ToolDefinition? {
        let tools = configuration.tools ?? []
        switch configuration.toolChoice ?? .auto {
        case .none:
            return nil
        case .auto:
            // A tool's own answer gets a reply, else a conversation would call for ever.
            guard conversation.last?.role == .user else { return nil }
            return mentionedTool(of: tools)
        case .required:
            guard let first = tools.first else {
                throw noTool("a tool call is required, and it has no tools")
            }
            return mentionedTool(of: tools) ?? first
        case .named(let name):
            guard let tool = tools.first(where: { $0.name == name }) else {
                throw noTool("the tool choice names \(name), which is none of its tools")
            }
            return tool
        }
    }

    /// The first tool that the last user message names, or of whose name it holds a word: `weather` for
    /// `get_weather`. Words of three letters and less (`get`, `set`) do not count.
    private func mentionedTool(of tools: [ToolDefinition]) -> ToolDefinition? {
        guard let message = conversation.last(where: { $0.role == .user })?.content else { return nil }
        return tools.first { tool in
            let words = tool.name.split { !$0.isLetter && !$0.isNumber }.filter { $0.count > 3 }.map {
                String($0)
            }
            return !KeywordIndex([tool.name] + words).hits(in: message).isEmpty
        }
    }

    private func noTool(_ fault: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            "The request cannot be answered: \(fault).",
            remedy: "Define the tool in tools, or leave the tool choice out."
        )
    }
}

extension JSONValue {
    /// Arguments are an object even where the schema leaves the type open.
    fileprivate var asObjectSchema: JSONValue {
        guard self != .bool(true) else { return ["type": "object"] }
        guard var keywords = objectValue, keywords["type"] == nil else { return self }
        keywords["type"] = "object"
        return .object(keywords)
    }

    var tokenCount: Int {
        get throws { Words.count(in: try compactText()) }
    }
}
