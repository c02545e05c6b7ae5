package import BreezeCore
package import Foundation

/// `POST /v1/completions`, the older route without messages. A prompt is one turn of the user: chat models know
/// no other way to be asked, and the answer's notices say so.
package enum OpenAICompletions {
    package static func parse(_ body: [UInt8]) throws -> Generation {
        var (generation, remarks) = try WireBody.read(body) { try read(&$0) }
        generation.remarks = remarks
        return generation
    }

    private static func read(_ fields: inout WireFields) throws -> Generation {
        let model = try fields.requiredString("model")
        let prompts = try prompts(&fields)
        var config = try fields.openAISampling()
        config.maxTokens = try fields.integer("max_tokens", in: 1...Int.max) ?? config.maxTokens
        let topLogprobs = try fields.integer("logprobs", in: 0...20)
        config.logprobs = topLogprobs.map { max(1, $0) }
        let count = try fields.integer("n", in: 1...OpenAIChat.maximumChoices) ?? 1
        try fields.refuse("suffix", "asks for text in between, which no runner fills in", unless: \.isEmpty)
        try fields.refuse("echo", "cannot be honoured", remedy: "Put the prompt before the answer.") {
            $0.bool == false
        }
        try fields.refuse("best_of", "asks for more answers than n, and nothing picks among them") { value in
            value.wholeNumber == count
        }
        try fields.refuse("logit_bias", "is not applied by any runner", unless: \.isEmpty)
        fields.accept("user")
        var requests: [InferenceRequest] = []
        for prompt in prompts {
            var request = InferenceRequest(
                .chat,
                messages: [ChatMessage(.user, prompt)],
                configuration: config
            )
            request.modelID = model
            requests += Generation.choices(count, of: request)
        }
        fields.collector.notice("The prompt was asked as one turn of a conversation.")
        var generation = Generation(
            model: model,
            requests: requests,
            streams: try fields.bool("stream") ?? false
        )
        generation.includesUsage = try fields.includesUsage()
        generation.topLogprobs = topLogprobs
        return generation
    }

    private static func prompts(_ fields: inout WireFields) throws -> [String] {
        let takes = "a string or a list of strings"
        let place = fields.path.member("prompt")
        guard let value = fields.raw("prompt") else { throw fields.missing("prompt", takes: takes) }
        if let text = value.string { return [text] }
        guard let elements = value.array else { throw fields.wrong("prompt", value, takes: takes) }
        guard (1...OpenAIChat.maximumChoices).contains(elements.count) else {
            let count = "1 to \(OpenAIChat.maximumChoices) prompts"
            throw BreezeError.field(place, "has too few or too many prompts", takes: count)
        }
        return try elements.enumerated().map { index, element in
            if let text = element.string { return text }
            switch element {
            case .integer, .array:
                let remedy = "Send the text itself, or use /v1/detokenize first."
                throw BreezeError.unsupported(place, "holds tokens of one model's vocabulary", remedy: remedy)
            default:
                throw BreezeError.field(place.element(index), "is \(element.kindName)", takes: "a string")
            }
        }
    }

    package static func answer(
        _ results: [InferenceResult],
        to generation: Generation,
        created: Date
    ) -> [UInt8] {
        JSONWriter.object { writer in
            head(generation, created, to: &writer)
            writer.array("choices") { writer in
                for (index, result) in results.enumerated() {
                    let top = generation.topLogprobs
                    choice(index, result.output.text ?? "", ending: result, top: top, to: &writer)
                }
            }
            OpenAIValues.usage(results, to: &writer)
            writer.field("breeze", BreezeAccount(results, generation.remarks))
        }
    }

    static func head(_ generation: Generation, _ created: Date, to writer: inout JSONWriter) {
        writer.field("id", "cmpl-\(generation.id)")
        writer.field("object", "text_completion")
        writer.field("created", WireTime.seconds(created))
        writer.field("model", generation.model)
    }

    /// One choice, or a piece of it; `ending` is the result of one that has ended.
    static func choice(
        _ index: Int,
        _ text: String,
        ending result: InferenceResult? = nil,
        top: Int? = nil,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.field("index", index)
            writer.field("text", text)
            if let steps = result?.logprobs, let top {
                logprobs(steps, top: top, to: &writer)
            } else {
                writer.field(null: "logprobs")
            }
            writer.field("finish_reason", result.map(OpenAIValues.finishReason))
        }
    }

    private static func logprobs(_ steps: [TokenLogprobs], top: Int, to writer: inout JSONWriter) {
        writer.object("logprobs") { writer in
            writer.field("tokens", steps.map(\.chosen.token))
            writer.field("token_logprobs", steps.map { OpenAIValues.logprob($0.chosen.logprob) })
            writer.array("top_logprobs") { writer in
                for step in steps {
                    writer.object { writer in
                        var seen: Set<String> = []
                        // Two tokens may share a text; the first is the likelier one.
                        for entry in step.top.prefix(top) where seen.insert(entry.token).inserted {
                            writer.key(escaping: entry.token)
                            writer.value(OpenAIValues.logprob(entry.logprob))
                        }
                    }
                }
            }
            var offset = 0
            writer.array("text_offset") { writer in
                for step in steps {
                    writer.value(offset)
                    offset += step.chosen.token.unicodeScalars.count
                }
            }
        }
    }
}

/// `text_completion` events, one a piece of text, then the usage and `[DONE]`.
package struct OpenAICompletionStream: WireStream {
    package static let contentType = EventStream.contentType

    private let generation: Generation
    private let created: Date
    private var choices: [StreamedChoice]

    package init(_ generation: Generation, created: Date) {
        self.generation = generation
        self.created = created
        choices = Array(repeating: StreamedChoice(), count: generation.requests.count)
    }

    package mutating func encode(_ chunk: InferenceChunk, choice index: Int = 0) throws -> [UInt8] {
        guard choices.indices.contains(index), !choices[index].hasEnded else { return [] }
        switch chunk.content {
        case .text(let text):
            choices[index].hasText = true
            return event { OpenAICompletions.choice(index, text, to: &$0) }
        case .progress(let progress): return EventStream.comment(progress)
        case .result(let result):
            choices[index].result = result
            let rest = choices[index].hasText ? "" : result.output.text ?? ""
            let isLast = choices.allSatisfy(\.hasEnded) && !generation.includesUsage
            let account = isLast ? self.account : nil
            let top = generation.topLogprobs
            return event(account) { OpenAICompletions.choice(index, rest, ending: result, top: top, to: &$0) }
        case .reasoning, .toolCall, .audio, .embedding, .classification: return []
        }
    }

    package mutating func finish() -> [UInt8] {
        guard generation.includesUsage else { return EventStream.done }
        let results = choices.compactMap(\.result)
        let last = JSONWriter.object { writer in
            OpenAICompletions.head(generation, created, to: &writer)
            writer.array("choices") { _ in }
            OpenAIValues.usage(results, to: &writer)
            writer.field("breeze", account)
        }
        return EventStream.event(last) + EventStream.done
    }

    package mutating func fail(_ error: BreezeError) -> [UInt8] {
        EventStream.event(WireFailure.event(error)) + EventStream.done
    }

    private var account: BreezeAccount { BreezeAccount(choices.compactMap(\.result), generation.remarks) }

    private func event(
        _ account: BreezeAccount? = nil,
        _ choice: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        EventStream.event(
            JSONWriter.object { writer in
                OpenAICompletions.head(generation, created, to: &writer)
                writer.array("choices", choice)
                writer.field("breeze", ifPresent: account)
            }
        )
    }
}
