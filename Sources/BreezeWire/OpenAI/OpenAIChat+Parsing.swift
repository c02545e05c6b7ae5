import BreezeCore

/// `POST /v1/chat/completions`
package enum OpenAIChat {
    /// Most answers to one question: each takes a runner's whole attention.
    static let maximumChoices = 16

    package static func parse(_ body: [UInt8]) throws -> Generation {
        var (generation, remarks) = try WireBody.read(body) { try read(&$0) }
        generation.remarks = remarks
        return generation
    }

    private static func read(_ fields: inout WireFields) throws -> Generation {
        let model = try fields.requiredString("model")
        let messages = try fields.openAIMessages()
        var config = try fields.openAISampling()
        let limit = try fields.integer("max_tokens", in: 1...Int.max)
        config.maxTokens =
            try fields.integer("max_completion_tokens", in: 1...Int.max) ?? limit ?? config.maxTokens
        config.tools = try fields.nestedTools()
        config.toolChoice = try fields.toolChoice(among: config.tools)
        config.guidedOutput =
            try fields.object("response_format") { try $0.answerSchema(isNested: true) } ?? nil
        try fields.thinking("reasoning_effort", into: &config)
        let topLogprobs = try logprobs(&fields)
        config.logprobs = topLogprobs.map { max(1, $0) }
        try refuse(&fields)
        var request = InferenceRequest(
            messages.contains { $0.images != nil } ? .vlm : .chat,
            messages: messages,
            configuration: config
        )
        request.modelID = model
        let count = try fields.integer("n", in: 1...maximumChoices) ?? 1
        var generation = Generation(
            model: model,
            requests: count == 1 ? [request] : Generation.choices(count, of: request),
            streams: try fields.bool("stream") ?? false
        )
        generation.includesUsage = try fields.includesUsage()
        generation.topLogprobs = topLogprobs
        generation.allowsParallelCalls = try fields.bool("parallel_tool_calls") ?? true
        return generation
    }

    /// How many alternatives each token comes with; `nil` for no log-probabilities at all.
    private static func logprobs(_ fields: inout WireFields) throws -> Int? {
        let wanted = try fields.bool("logprobs") ?? false
        let count = try fields.integer("top_logprobs", in: 0...20)
        if let count, !wanted, count > 0 {
            throw BreezeError.field(
                fields.path.member("top_logprobs"),
                "needs logprobs to be true",
                takes: "nothing without it"
            )
        }
        return wanted ? count ?? 0 : nil
    }

    /// What would change the answer, and cannot.
    private static func refuse(_ fields: inout WireFields) throws {
        try fields.refuse("logit_bias", "is not applied by any runner", unless: \.isEmpty)
        try fields.refuse("prediction")
        try fields.refuse("web_search_options", "asks for a search of the web, which is not made")
        try fields.refuse("audio", "asks for speech", remedy: "Use /v1/audio/speech.")
        try fields.refuse("modalities", "asks for more than text", remedy: "Use text alone.") { value in
            value.array?.allSatisfy { $0.string == "text" } ?? false
        }
        try fields.refuse("verbosity", remedy: "Ask for it in the system message.") { $0.string == "medium" }
        try fields.refuse("functions", "is the older form of tools", remedy: "Use tools.", unless: \.isEmpty)
        try fields.refuse("function_call", "is the older form of tool_choice", remedy: "Use tool_choice.") {
            $0.string == "none" || $0.string == "auto"
        }
        // A client that stores nothing here is told nothing false: what is stored of a chat is nothing.
        fields.accept(
            "store",
            "metadata",
            "user",
            "safety_identifier",
            "prompt_cache_key",
            "prompt_cache_retention"
        )
    }
}

extension WireFields {
    mutating func includesUsage() throws -> Bool {
        try object("stream_options") { options in
            options.accept("include_obfuscation")
            return try options.bool("include_usage") ?? false
        } ?? false
    }
}
