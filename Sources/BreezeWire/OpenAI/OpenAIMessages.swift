import BreezeCore
import Foundation

/// The turns of a conversation, as OpenAI's chat writes them.
extension WireFields {
    mutating func openAIMessages() throws -> [ChatMessage] {
        guard let elements = try list("messages", of: "messages") else {
            throw missing("messages", takes: "a list of messages")
        }
        guard !elements.isEmpty else {
            throw BreezeError.field(path.member("messages"), "is empty", takes: "a message or more")
        }
        return try elements.map { element in
            try read(element.value, at: element.path) { try $0.openAIMessage() }
        }
    }

    private mutating func openAIMessage() throws -> ChatMessage {
        let roles: KeyValuePairs<String, ChatMessage.Role> = [
            "system": .system, "developer": .system, "user": .user, "assistant": .assistant, "tool": .tool,
        ]
        guard let role = try word("role", roles) else {
            throw missing("role", takes: "one of " + roles.map(\.key).joined(separator: ", "))
        }
        try refuse("function_call", "is the older form of tool_calls", remedy: "Use tool_calls.")
        var message = ChatMessage(role, "")
        if role == .assistant {
            try refuse("audio", "names a recording, and none is kept", remedy: "Send its text.")
            message.toolCalls = try openAIToolCalls()
        }
        if role == .tool { message.toolCallID = try requiredString("tool_call_id") }
        try openAIContent(into: &message)
        return message
    }

    private mutating func openAIToolCalls() throws -> [ToolCall]? {
        guard let elements = try list("tool_calls", of: "calls"), !elements.isEmpty else { return nil }
        return try elements.map { element in
            try read(element.value, at: element.path) { fields in
                let id = try fields.requiredString("id")
                // A streamed call that was put together again keeps its place.
                fields.accept("index")
                try fields.refuse("type", "is a kind of call that nothing here makes") {
                    $0.string == "function"
                }
                guard let call = try fields.object("function", { try $0.calledFunction(id: id) }) else {
                    throw fields.missing("function", takes: "an object")
                }
                return call
            }
        }
    }

    private mutating func openAIContent(into message: inout ChatMessage) throws {
        let takes = "a string, or a list of parts"
        guard let value = raw("content") else {
            // An assistant's turn of calls alone, or one that refused.
            if message.role == .assistant {
                message.content = try string("refusal") ?? ""
                return
            }
            throw missing("content", takes: takes)
        }
        accept("refusal")
        if let text = value.string {
            message.content = text
            return
        }
        guard let parts = value.array else { throw wrong("content", value, takes: takes) }
        var content = MessageContent()
        for (index, part) in parts.enumerated() {
            let place = path.member("content").element(index)
            try read(part, at: place) { try $0.contentPart(into: &content, of: message.role) }
        }
        (message.content, message.images) = (content.text, content.images)
    }
}

/// A turn's content while its parts are read.
struct MessageContent {
    private var texts: [String] = []
    private(set) var images: [Data]?

    /// Parts are paragraphs of one turn.
    var text: String { texts.joined(separator: "\n") }

    mutating func append(_ text: String) { texts.append(text) }

    mutating func append(_ image: Data) { images = (images ?? []) + [image] }
}

extension WireFields {
    /// One part of a content, of the chat's kinds and of the responses'.
    mutating func contentPart(into content: inout MessageContent, of role: ChatMessage.Role) throws {
        switch try requiredString("type") {
        case "text", "input_text", "output_text", "summary_text":
            guard let text = try string("text") else { throw missing("text", takes: "a string") }
            content.append(text)
            accept("annotations", "logprobs")
        case "refusal": content.append(try requiredString("refusal"))
        case "image_url", "input_image": content.append(try image(of: role))
        default:
            throw BreezeError.unsupported(
                path.member("type"),
                "is a kind of content that nothing here reads",
                remedy: "Use text and pictures."
            )
        }
    }

    private mutating func image(of role: ChatMessage.Role) throws -> Data {
        guard role == .user else {
            throw BreezeError.unsupported(
                path,
                "is a picture of a turn that is not the user's",
                remedy: "Move it."
            )
        }
        try refuse("file_id", "names a file, and none is kept", remedy: "Send a data URL.")
        // How much of the picture is looked at is the model's own affair.
        accept("detail")
        guard let value = raw("image_url") else { throw missing("image_url", takes: "a data URL") }
        let place = path.member("image_url")
        if let url = value.string { return try WireImage.data(ofURL: url, at: place) }
        return try read(value, at: place) { fields in
            fields.accept("detail")
            return try WireImage.data(ofURL: try fields.requiredString("url"), at: place.member("url"))
        }
    }
}
