import BreezeCore

/// The turns of a response's input: a text, or items.
extension WireFields {
    mutating func responseInput() throws -> [ChatMessage] {
        let takes = "a string or a list of items"
        guard let value = raw("input") else { throw missing("input", takes: takes) }
        if let text = value.string { return [ChatMessage(.user, text)] }
        guard let items = value.array else { throw wrong("input", value, takes: takes) }
        guard !items.isEmpty else {
            throw BreezeError.field(path.member("input"), "is empty", takes: "an item or more")
        }
        var turns: [ChatMessage] = []
        for (index, item) in items.enumerated() {
            let place = path.member("input").element(index)
            try read(item, at: place) { try $0.responseItem(into: &turns) }
        }
        return turns
    }

    private mutating func responseItem(into turns: inout [ChatMessage]) throws {
        // A message may leave its type out.
        let type = try string("type") ?? "message"
        // Items of an earlier answer come back with these.
        accept("id", "status")
        switch type {
        case "message": turns.append(try responseMessage())
        case "function_call":
            let id = try requiredString("call_id")
            let call = try calledFunction(id: id)
            // Calls that follow one another, and the words before them, are one turn of the model.
            if turns.last?.role == .assistant {
                turns[turns.count - 1].toolCalls = (turns[turns.count - 1].toolCalls ?? []) + [call]
            } else {
                turns.append(ChatMessage(.assistant, "", toolCalls: [call]))
            }
        case "function_call_output":
            let id = try requiredString("call_id")
            turns.append(ChatMessage(.tool, try responseText("output"), toolCallID: id))
        case "reasoning":
            // What a model thought is not said to it again: its template would leave it out, too.
            accept("summary", "content", "encrypted_content")
        default:
            throw BreezeError.unsupported(
                path.member("type"),
                "is a kind of item that nothing here reads",
                remedy: "Use message, function_call and function_call_output."
            )
        }
    }

    private mutating func responseMessage() throws -> ChatMessage {
        let roles: KeyValuePairs<String, ChatMessage.Role> = [
            "system": .system, "developer": .system, "user": .user, "assistant": .assistant,
        ]
        guard let role = try word("role", roles) else {
            throw missing("role", takes: "one of " + roles.map(\.key).joined(separator: ", "))
        }
        accept("phase")
        let content = try responseContent("content", of: role)
        return ChatMessage(role, content.text, images: content.images)
    }

    private mutating func responseText(_ name: String) throws -> String {
        try responseContent(name, of: .tool).text
    }

    private mutating func responseContent(_ name: String, of role: ChatMessage.Role) throws -> MessageContent
    {
        let takes = "a string, or a list of parts"
        guard let value = raw(name) else { throw missing(name, takes: takes) }
        var content = MessageContent()
        if let text = value.string {
            content.append(text)
            return content
        }
        guard let parts = value.array else { throw wrong(name, value, takes: takes) }
        for (index, part) in parts.enumerated() {
            let place = path.member(name).element(index)
            try read(part, at: place) { try $0.contentPart(into: &content, of: role) }
        }
        return content
    }
}
