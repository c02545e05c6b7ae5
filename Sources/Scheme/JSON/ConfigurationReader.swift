import BreezeCore

/// Reads the `configuration` of a stranger's request.
enum ConfigurationReader {
    private static let names = [
        "temperature", "topP", "topK", "minP", "repetitionPenalty", "frequencyPenalty", "presencePenalty",
        "seed",
        "maxTokens", "stop", "contextSize", "logprobs", "keepAlive", "timeout", "guidedOutput", "tools",
        "toolChoice", "additional",
    ]

    static func configuration(_ document: StrictJSON) throws(BreezeError) -> InferenceConfig {
        let fields = try JSONFields(document, at: "request.configuration", knowing: names)
        return InferenceConfig(
            temperature: try fields.number("temperature"),
            topP: try fields.number("topP"),
            topK: try fields.whole("topK"),
            minP: try fields.number("minP"),
            repetitionPenalty: try fields.number("repetitionPenalty"),
            frequencyPenalty: try fields.number("frequencyPenalty"),
            presencePenalty: try fields.number("presencePenalty"),
            seed: try fields.whole("seed"),
            maxTokens: try fields.whole("maxTokens"),
            stop: try fields.texts("stop"),
            contextSize: try fields.whole("contextSize"),
            logprobs: try fields.whole("logprobs"),
            keepAlive: try fields.number("keepAlive"),
            timeout: try fields.number("timeout"),
            guidedOutput: try fields.json("guidedOutput"),
            tools: try fields.list("tools", of: ["name", "description", "parameters"], tool),
            toolChoice: try fields.json("toolChoice").map(toolChoice),
            additional: try additional(fields)
        )
    }

    private static func tool(_ fields: JSONFields) throws(BreezeError) -> ToolDefinition {
        ToolDefinition(
            name: try fields.required("name", fields.text("name")),
            description: try fields.required("description", fields.text("description")),
            parameters: try fields.required("parameters", fields.json("parameters"))
        )
    }

    private static func toolChoice(_ value: JSONValue) throws(BreezeError) -> ToolChoice {
        switch value {
        case "auto": return .auto
        case "none": return .none
        case "required": return .required
        case .object(let members):
            guard members.count == 1, case .string(let name) = members["name"] else { fallthrough }
            return .named(name)
        default:
            throw SchemeFault.request("request.configuration.toolChoice is none of its words, nor a name")
        }
    }

    private static func additional(_ fields: JSONFields) throws(BreezeError) -> [String: JSONValue] {
        guard try fields.object("additional") != nil else { return [:] }
        return try fields.json("additional")?.objectValue ?? [:]
    }
}
