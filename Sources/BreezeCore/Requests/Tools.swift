/// A function that a model may ask its caller to perform.
public struct ToolDefinition: Codable, Hashable, Sendable {
    public var name: String
    public var description: String
    /// JSON Schema of the arguments, an object.
    public var parameters: JSONValue

    public init(name: String, description: String, parameters: JSONValue) {
        self.name = name
        self.description = description
        self.parameters = parameters
    }
}

/// A model's wish that a tool be called.
public struct ToolCall: Codable, Hashable, Sendable {
    /// Unique within the conversation; never empty.
    public var id: String
    public var name: String
    /// An object that satisfies the tool's schema.
    public var arguments: JSONValue

    public init(id: String, name: String, arguments: JSONValue) {
        self.id = id
        self.name = name
        self.arguments = arguments
    }
}

/// Whether the model may, must or must not call tools. In JSON `"auto"`, `"none"`, `"required"`, or
/// `{"name": "…"}` for one tool that must be called.
public enum ToolChoice: Hashable, Sendable {
    case auto
    case none
    case required
    case named(String)
}

extension ToolChoice: Codable {
    private struct Named: Codable { var name: String }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let word = try? container.decode(String.self) else {
            self = .named(try container.decode(Named.self).name)
            return
        }
        switch word {
        case "auto": self = .auto
        case "none": self = .none
        case "required": self = .required
        default:
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "tool choice is auto, none, required or {\"name\": …}, not \(word)"
            )
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .auto: try container.encode("auto")
        case .none: try container.encode("none")
        case .required: try container.encode("required")
        case .named(let name): try container.encode(Named(name: name))
        }
    }
}
