import BreezeCore
import Foundation

/// Reads the `InferenceRequest` of a stranger: the members that docs/url-scheme.md lists, and no others.
enum RequestReader {
    private static let names = [
        "id", "capability", "prompt", "messages", "inputs", "imageData", "audioData", "categories",
        "inputType",
        "configuration", "modelID", "runnerID", "privacy", "allowsMocks", "priority", "client",
    ]

    /// Without `client`: a hub sets it to whom it let in. `path` is the capability that the URL names, if it names one.
    static func request(_ document: StrictJSON, path: AICapability? = nil) throws(BreezeError)
        -> InferenceRequest
    {
        let fields = try JSONFields(document, at: "request", knowing: names)
        var request = InferenceRequest(try capability(fields, path: path))
        if let id = try fields.text("id") {
            guard SchemeText.isRequestID(id.utf8) else {
                throw SchemeFault.request("request.id is not 1 to 64 letters, digits, '.', '_' and '-'")
            }
            request.id = id
        }
        request.prompt = try fields.text("prompt")
        request.messages = try fields.list("messages", of: messageNames, message)
        request.inputs = try fields.texts("inputs")
        request.imageData = try fields.data("imageData").map { Data($0) }
        request.audioData = try fields.data("audioData").map { Data($0) }
        request.categories = try fields.list("categories", of: ["name", "examples"], category)
        request.inputType = try fields.choice("inputType")
        request.modelID = try fields.text("modelID")
        request.runnerID = try fields.text("runnerID")
        request.privacy = try fields.choice("privacy") ?? .userSettings
        request.allowsMocks = try fields.flag("allowsMocks") ?? false
        request.priority = try fields.choice("priority") ?? .normal
        _ = try fields.text("client")
        if let document = try fields.object("configuration") {
            request.configuration = try ConfigurationReader.configuration(document)
        }
        return request
    }

    /// The same for a request that anybody may have sent.
    static func plainRequest(_ document: StrictJSON, path: AICapability) throws(BreezeError)
        -> InferenceRequest
    {
        var request = try request(document, path: path)
        let configuration = request.configuration
        guard configuration.tools?.isEmpty ?? true, configuration.toolChoice ?? .none == ToolChoice.none
        else {
            throw SchemeFault.tools
        }
        request.privacy = .onDevice
        return request
    }

    private static func capability(_ fields: JSONFields, path: AICapability?) throws(BreezeError)
        -> AICapability
    {
        guard let name = try fields.text("capability") else {
            return try fields.required("capability", path)
        }
        guard SchemeText.isCapability(name.utf8) else {
            throw SchemeFault.request("request.capability is not a capability's name")
        }
        let capability = AICapability(rawValue: name)
        guard path == nil || capability == path else {
            throw SchemeFault.request("request.capability is another one than the URL's")
        }
        return capability
    }

    private static let messageNames = ["role", "content", "images", "toolCalls", "toolCallID"]

    private static func message(_ fields: JSONFields) throws(BreezeError) -> ChatMessage {
        ChatMessage(
            try fields.required("role", fields.choice("role")),
            try fields.required("content", fields.text("content")),
            images: try fields.dataList("images")?.map { Data($0) },
            toolCalls: try fields.list("toolCalls", of: ["id", "name", "arguments"], toolCall),
            toolCallID: try fields.text("toolCallID")
        )
    }

    private static func toolCall(_ fields: JSONFields) throws(BreezeError) -> ToolCall {
        ToolCall(
            id: try fields.required("id", fields.text("id")),
            name: try fields.required("name", fields.text("name")),
            arguments: try fields.required("arguments", fields.json("arguments"))
        )
    }

    private static func category(_ fields: JSONFields) throws(BreezeError) -> ClassificationCategory {
        ClassificationCategory(
            name: try fields.required("name", fields.text("name")),
            examples: try fields.required("examples", fields.texts("examples"))
        )
    }
}
