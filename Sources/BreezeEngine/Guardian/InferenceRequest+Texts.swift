import BreezeCore

extension InferenceRequest {
    /// A text of a request, by who wrote it.
    enum TextOrigin {
        case caller
        case tool
    }

    /// Puts what `change` makes of each text in its place: of every one that some runner may read, the
    /// arguments of earlier tool calls included.
    mutating func changeTexts(_ change: (TextOrigin, String) async throws -> String) async throws {
        if let prompt { self.prompt = try await change(.caller, prompt) }
        for index in (messages ?? []).indices {
            guard var message = messages?[index] else { break }
            if !message.content.isEmpty {
                message.content = try await change(message.role == .tool ? .tool : .caller, message.content)
            }
            for call in (message.toolCalls ?? []).indices {
                try await message.toolCalls?[call].arguments.changeStrings { try await change(.caller, $0) }
            }
            messages?[index] = message
        }
        for index in (inputs ?? []).indices {
            guard let text = inputs?[index], !text.isEmpty else { continue }
            inputs?[index] = try await change(.caller, text)
        }
        try await changeDescriptions(change)
    }

    private mutating func changeDescriptions(
        _ change: (TextOrigin, String) async throws -> String
    ) async throws {
        for index in (categories ?? []).indices {
            for example in (categories?[index].examples ?? []).indices {
                guard let text = categories?[index].examples[example], !text.isEmpty else { continue }
                categories?[index].examples[example] = try await change(.caller, text)
            }
        }
        for index in (configuration.tools ?? []).indices {
            guard let text = configuration.tools?[index].description, !text.isEmpty else { continue }
            configuration.tools?[index].description = try await change(.caller, text)
        }
    }

    /// Whether it holds something that nobody can read for personal data.
    var hasMedia: Bool {
        imageData != nil || audioData != nil
            || (messages?.contains { $0.images?.isEmpty == false } ?? false)
    }
}

extension JSONValue {
    mutating func changeStrings(_ change: (String) async throws -> String) async throws {
        switch self {
        case .string(let text) where !text.isEmpty: self = .string(try await change(text))
        case .array(var values):
            for index in values.indices { try await values[index].changeStrings(change) }
            self = .array(values)
        case .object(var members):
            for name in members.keys.sorted() { try await members[name]?.changeStrings(change) }
            self = .object(members)
        case .null, .bool, .integer, .number, .string: break
        }
    }

    /// Every string in it, the members' names included, a line each.
    var words: String {
        switch self {
        case .string(let text): text
        case .array(let values): values.map(\.words).joined(separator: "\n")
        case .object(let members):
            members.sorted { $0.key < $1.key }.map { "\($0.key)\n\($0.value.words)" }.joined(separator: "\n")
        case .null, .bool, .integer, .number: ""
        }
    }
}
