import BreezeCore
import Foundation

/// The turns of a conversation, as Ollama writes them. Its calls have no ids, and its tool turns name the tool:
/// each is given to the first call of that name that nothing has answered yet.
struct OllamaConversation {
    private(set) var messages: [ChatMessage] = []
    private var unanswered: [ToolCall] = []

    mutating func append(_ element: (value: StrictJSON, path: WirePath), _ fields: WireFields) throws {
        messages.append(try fields.read(element.value, at: element.path) { try message(&$0) })
    }

    private mutating func message(_ fields: inout WireFields) throws -> ChatMessage {
        let roles: KeyValuePairs<String, ChatMessage.Role> = [
            "system": .system, "user": .user, "assistant": .assistant, "tool": .tool,
        ]
        guard let role = try fields.word("role", roles) else {
            throw fields.missing("role", takes: "one of " + roles.map(\.key).joined(separator: ", "))
        }
        var message = ChatMessage(role, try fields.string("content") ?? "")
        message.images = try fields.ollamaImages()
        if message.images != nil, role != .user {
            let place = fields.path.member("images")
            throw BreezeError.unsupported(
                place,
                "stand in a turn that is not the user's",
                remedy: "Move them."
            )
        }
        // What a model thought is not said to it again: its template would leave it out, too.
        fields.accept("thinking")
        if role == .assistant { message.toolCalls = try calls(&fields) }
        if role == .tool { message.toolCallID = try answered(&fields) }
        return message
    }

    private mutating func calls(_ fields: inout WireFields) throws -> [ToolCall]? {
        guard let elements = try fields.list("tool_calls", of: "calls"), !elements.isEmpty else { return nil }
        let turn = messages.count
        let calls = try elements.enumerated().map { index, element in
            try fields.read(element.value, at: element.path) { call in
                call.accept("type")
                let id = try call.string("id").flatMap { $0.isEmpty ? nil : $0 } ?? "call_\(turn)_\(index)"
                let named = try call.object("function") { function in
                    function.accept("index")
                    return try function.calledFunction(id: id)
                }
                guard let named else { throw call.missing("function", takes: "an object") }
                return named
            }
        }
        unanswered += calls
        return calls
    }

    private mutating func answered(_ fields: inout WireFields) throws -> String? {
        let name = try fields.string("tool_name")
        let other = try fields.string("name")
        if let id = try fields.string("tool_call_id"), !id.isEmpty {
            unanswered.removeAll { $0.id == id }
            return id
        }
        let wanted = name ?? other
        let index = unanswered.firstIndex { wanted == nil || $0.name == wanted }
        return index.map { unanswered.remove(at: $0).id }
    }
}

extension WireFields {
    /// Pictures in base64, without a data URL around them.
    mutating func ollamaImages() throws -> [Data]? {
        guard let elements = try list("images", of: "pictures"), !elements.isEmpty else { return nil }
        return try elements.map { element in
            guard let bytes = element.value.bytes else {
                let kind = element.value.kindName
                throw BreezeError.field(element.path, "is \(kind)", takes: "a picture in base64")
            }
            return try WireImage.data(ofBase64: bytes, at: element.path)
        }
    }

    /// `""` is none, `"json"` any object, and an object is a schema.
    mutating func ollamaFormat() throws -> JSONValue? {
        guard let value = raw("format") else { return nil }
        let takes = "\"json\" or a JSON Schema"
        if let word = value.string {
            if word.isEmpty { return nil }
            guard word == "json" else {
                throw BreezeError.field(path.member("format"), "is none of its words", takes: takes)
            }
            return ["type": "object"]
        }
        guard value.members != nil else { throw wrong("format", value, takes: takes) }
        return try value.jsonValue(at: path.member("format"))
    }
}
