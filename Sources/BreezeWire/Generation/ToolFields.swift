import BreezeCore

/// Tools and the choice among them.
extension WireFields {
    /// `[{"type": "function", "function": {…}}]`, as chat routes of both dialects have it.
    mutating func nestedTools() throws -> [ToolDefinition]? {
        try tools { fields in
            let tool = try fields.object("function") { try $0.toolDefinition() }
            guard let tool else { throw fields.missing("function", takes: "an object") }
            return tool
        }
    }

    /// `[{"type": "function", "name": …}]`, as OpenAI's responses have it.
    mutating func flatTools() throws -> [ToolDefinition]? {
        try tools { try $0.toolDefinition() }
    }

    private mutating func tools(
        _ definition: (inout WireFields) throws -> ToolDefinition
    ) throws -> [ToolDefinition]? {
        guard let elements = try list("tools", of: "tools"), !elements.isEmpty else { return nil }
        var names: Set<String> = []
        return try elements.map { element in
            try read(element.value, at: element.path) { fields in
                try fields.refuse(
                    "type",
                    "is a kind of tool that nothing here provides",
                    remedy: "Use function."
                ) {
                    $0.string == "function"
                }
                let tool = try definition(&fields)
                guard names.insert(tool.name).inserted else {
                    throw BreezeError.field(
                        element.path,
                        "has the name of another tool",
                        takes: "its own name"
                    )
                }
                return tool
            }
        }
    }

    private mutating func toolDefinition() throws -> ToolDefinition {
        let name = try requiredString("name")
        let description = try string("description") ?? ""
        let parameters = try json("parameters") ?? ["type": "object", "properties": [:]]
        guard parameters.objectValue != nil else {
            throw BreezeError.field(
                path.member("parameters"),
                "is \(parameters.kindName)",
                takes: "a JSON Schema, an object"
            )
        }
        // Arguments satisfy their schema or the answer fails, whether or not it was asked for.
        accept("strict")
        return ToolDefinition(name: name, description: description, parameters: parameters)
    }

    /// `"auto"`, `"none"`, `"required"`, or an object that names one function.
    mutating func toolChoice(among tools: [ToolDefinition]?) throws -> ToolChoice? {
        guard let value = raw("tool_choice") else { return nil }
        let place = path.member("tool_choice")
        let choice: ToolChoice
        if let word = value.string {
            switch word {
            case "auto": return .auto
            case "none": return ToolChoice.none
            case "required", "any": choice = .required
            default:
                let takes = "auto, none, required, or an object that names a function"
                throw BreezeError.field(place, "is none of its words", takes: takes)
            }
        } else {
            choice = .named(try read(value, at: place) { try $0.chosenFunction() })
        }
        guard let tools else {
            throw BreezeError.field(place, "wants a tool called, and there are no tools", takes: "none then")
        }
        if case .named(let name) = choice, !tools.contains(where: { $0.name == name }) {
            throw BreezeError.field(place, "names none of the tools", takes: "the name of one of them")
        }
        return choice
    }

    private mutating func chosenFunction() throws -> String {
        try refuse("type", "is a choice that nothing here can enforce", remedy: "Use function.") {
            $0.string == "function"
        }
        if let name = try object("function", { try $0.requiredString("name") }) { return name }
        return try requiredString("name")
    }

    /// One call of an assistant's earlier turn. OpenAI writes the arguments as JSON text, Ollama as an object;
    /// either is read wherever it stands.
    mutating func calledFunction(id: String) throws -> ToolCall {
        let name = try requiredString("name")
        guard let value = raw("arguments") else { return ToolCall(id: id, name: name, arguments: [:]) }
        let place = path.member("arguments")
        guard let bytes = value.bytes else {
            guard value.members != nil else { throw wrong("arguments", value, takes: "an object") }
            return ToolCall(id: id, name: name, arguments: try value.jsonValue(at: place))
        }
        if bytes.isEmpty { return ToolCall(id: id, name: name, arguments: [:]) }
        guard let document = try? StrictJSON(parsing: bytes), document.members != nil else {
            throw BreezeError.field(place, "is no JSON object", takes: "the text of a JSON object")
        }
        return ToolCall(id: id, name: name, arguments: try document.jsonValue(at: place))
    }

    /// `response_format`, where the schema is nested within a member `json_schema`, and `text.format`, where it is not.
    /// Ollama's `format` has a reader of its own.
    mutating func answerSchema(isNested: Bool) throws -> JSONValue? {
        let kind = try word(
            "type",
            ["text": AnswerKind.text, "json_object": .object, "json_schema": .schema]
        )
        guard let kind else { throw missing("type", takes: "text, json_object or json_schema") }
        switch kind {
        case .text: return nil
        case .object: return ["type": "object"]
        case .schema where isNested:
            let schema = try object("json_schema") { try $0.namedSchema() }
            guard let schema else { throw missing("json_schema", takes: "an object") }
            return schema
        case .schema: return try namedSchema()
        }
    }

    private mutating func namedSchema() throws -> JSONValue {
        // Every answer is held against its schema: strict or not is all the same.
        accept("name", "description", "strict")
        guard let schema = try json("schema") else { throw missing("schema", takes: "a JSON Schema") }
        guard schema.objectValue != nil else {
            throw BreezeError.field(
                path.member("schema"),
                "is \(schema.kindName)",
                takes: "a JSON Schema, an object"
            )
        }
        return schema
    }
}

private enum AnswerKind { case text, object, schema }
