public import Foundation

/// One turn of a conversation.
public struct ChatMessage: Codable, Hashable, Sendable {
    public enum Role: String, Codable, Sendable {
        case system, user, assistant, tool
    }

    public var role: Role
    public var content: String
    /// Encoded images (PNG, JPEG, …) that belong to this turn, in order; base64 in JSON.
    public var images: [Data]?
    /// The calls that an assistant turn asked for.
    public var toolCalls: [ToolCall]?
    /// On a tool turn, the ``ToolCall/id`` that this content answers.
    public var toolCallID: String?

    public init(
        _ role: Role,
        _ content: String,
        images: [Data]? = nil,
        toolCalls: [ToolCall]? = nil,
        toolCallID: String? = nil
    ) {
        self.role = role
        self.content = content
        self.images = images
        self.toolCalls = toolCalls
        self.toolCallID = toolCallID
    }
}
