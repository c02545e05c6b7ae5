import BreezeCore
import Foundation

/// `POST /api/chat` and `POST /api/generate`
package enum Ollama {
    package static func parseChat(_ body: [UInt8]) throws -> Generation {
        var (generation, remarks) = try WireBody.read(body) { try chat(&$0) }
        generation.remarks = remarks
        return generation
    }

    package static func parseGenerate(_ body: [UInt8]) throws -> Generation {
        var (generation, remarks) = try WireBody.read(body) { try generate(&$0) }
        generation.remarks = remarks
        return generation
    }

    private static func chat(_ fields: inout WireFields) throws -> Generation {
        let model = try fields.requiredString("model")
        var conversation = OllamaConversation()
        for element in try fields.list("messages", of: "messages") ?? [] {
            try conversation.append(element, fields)
        }
        var (config, topLogprobs) = try configuration(&fields)
        config.tools = try fields.nestedTools()
        config.toolChoice = try fields.toolChoice(among: config.tools)
        return try generation(model, conversation.messages, config, topLogprobs, &fields)
    }

    private static func generate(_ fields: inout WireFields) throws -> Generation {
        let model = try fields.requiredString("model")
        let prompt = try fields.string("prompt") ?? ""
        let images = try fields.ollamaImages()
        let system = try fields.string("system") ?? ""
        let (config, topLogprobs) = try configuration(&fields)
        try fields.refuse("suffix", "asks for text in between, which no runner fills in", unless: \.isEmpty)
        let own = "The model's own template is used."
        try fields.refuse("template", "cannot be honoured", remedy: own, unless: \.isEmpty)
        try fields.refuse("raw", "cannot be honoured", remedy: own) { $0.bool == false }
        let chat = "Use /api/chat, and send the turns."
        try fields.refuse("context", "holds tokens of an earlier answer", remedy: chat, unless: \.isEmpty)
        for name in ["width", "height", "steps"] {
            try fields.refuse(name, "asks for a picture, which no runner makes") { $0.double == 0 }
        }
        var messages: [ChatMessage] = []
        if !prompt.isEmpty || images != nil {
            if !system.isEmpty { messages.append(ChatMessage(.system, system)) }
            messages.append(ChatMessage(.user, prompt, images: images))
        }
        return try generation(model, messages, config, topLogprobs, &fields)
    }

    private static func configuration(_ fields: inout WireFields) throws -> (InferenceConfig, Int?) {
        var config = try fields.object("options") { try $0.ollamaOptions() } ?? InferenceConfig()
        config.guidedOutput = try fields.ollamaFormat()
        config.keepAlive = try fields.keepAlive()
        try fields.thinking("think", into: &config)
        let count = try fields.integer("top_logprobs", in: 0...20)
        let topLogprobs = try fields.bool("logprobs") == true ? count ?? 0 : nil
        config.logprobs = topLogprobs.map { max(1, $0) }
        // A long input is an error in any case, and never cut silently.
        try fields.refuse("truncate", "would leave out turns silently", remedy: "Send fewer turns.") {
            $0.bool == false
        }
        try fields.refuse("shift", "would leave out turns silently", remedy: "Send fewer turns.") {
            $0.bool == false
        }
        return (config, topLogprobs)
    }

    private static func generation(
        _ model: String,
        _ messages: [ChatMessage],
        _ config: InferenceConfig,
        _ topLogprobs: Int?,
        _ fields: inout WireFields
    ) throws -> Generation {
        var request = InferenceRequest(
            messages.contains { $0.images != nil } ? .vlm : .chat,
            messages: messages,
            configuration: config
        )
        request.modelID = model
        var generation = Generation(
            model: model,
            requests: [request],
            streams: try fields.bool("stream") ?? true
        )
        if messages.isEmpty { generation.purpose = config.keepAlive == 0 ? .unload : .load }
        generation.topLogprobs = topLogprobs
        return generation
    }
}
