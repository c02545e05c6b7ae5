package import BreezeCore

/// `POST /api/embed`, and `POST /api/embeddings`, the older form of one text.
package enum OllamaEmbeddings {
    package static func parse(_ body: [UInt8]) throws -> EmbeddingCall {
        try parse(body, texts: "input")
    }

    package static func parseOlder(_ body: [UInt8]) throws -> EmbeddingCall {
        let call = try parse(body, texts: "prompt")
        guard case .texts(let texts) = call.input, texts.count == 1 else {
            throw BreezeError.field(
                WirePath.root.member("prompt"),
                "is a list of several texts",
                takes: "one text; /api/embed takes several"
            )
        }
        return call
    }

    private static func parse(_ body: [UInt8], texts name: String) throws -> EmbeddingCall {
        var (call, remarks) = try WireBody.read(body) { fields in
            let model = try fields.requiredString("model")
            guard let texts = try fields.strings(name) else {
                throw fields.missing(name, takes: "a string or a list of strings")
            }
            if let index = texts.firstIndex(where: \.isEmpty) {
                let place = fields.path.member(name)
                throw BreezeError.field(
                    texts.count == 1 ? place : place.element(index),
                    "is empty",
                    takes: "a text that is not empty"
                )
            }
            var config = try fields.object("options") { try $0.ollamaOptions() } ?? InferenceConfig()
            config.keepAlive = try fields.keepAlive()
            if let truncates = try fields.bool("truncate") {
                config.additional["truncate"] = .bool(truncates)
            }
            var call = EmbeddingCall(model: model, input: .texts(texts), configuration: config)
            call.dimensions = try fields.integer("dimensions", in: 1...1_000_000)
            return call
        }
        call.remarks = remarks
        return call
    }

    package static func answer(_ result: InferenceResult, to call: EmbeddingCall) throws -> [UInt8] {
        let vectors = try call.vectors(of: result)
        return JSONWriter.object { writer in
            writer.field("model", call.model)
            writer.field("embeddings", vectors)
            writer.field("total_duration", WireTime.nanoseconds(result.timings.total))
            writer.field("load_duration", WireTime.nanoseconds(result.timings.load))
            writer.field("prompt_eval_count", result.usage.inputTokens)
            account(result, call, to: &writer)
        }
    }

    package static func answerOlder(_ result: InferenceResult, to call: EmbeddingCall) throws -> [UInt8] {
        let vector = try call.vectors(of: result).first ?? []
        return JSONWriter.object { writer in
            writer.field("embedding", vector)
            account(result, call, to: &writer)
        }
    }

    private static func account(
        _ result: InferenceResult,
        _ call: EmbeddingCall,
        to writer: inout JSONWriter
    ) {
        var remarks = call.remarks
        remarks.notices += call.notices(of: result)
        writer.field("breeze", BreezeAccount([result], remarks))
    }
}
