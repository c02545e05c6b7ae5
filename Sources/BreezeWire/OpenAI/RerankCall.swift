package import BreezeCore

/// `POST /v1/rerank`, in the form that Jina, Cohere, vLLM and llama-server share.
package struct RerankCall: Sendable {
    package var model: String
    package var request: InferenceRequest
    /// Most results; `nil` for all of them.
    package var topCount: Int?
    package var returnsDocuments: Bool
    package var remarks = WireRemarks()

    package init(parsing body: [UInt8]) throws {
        (self, remarks) = try WireBody.read(body) { try Self(&$0) }
    }

    private init(_ fields: inout WireFields) throws {
        model = try fields.requiredString("model")
        request = InferenceRequest(.rerank, prompt: try fields.requiredString("query"))
        request.modelID = model
        request.inputs = try Self.documents(&fields)
        request.configuration.keepAlive = try fields.keepAlive()
        topCount = try fields.integer("top_n", in: 1...1_000_000)
        returnsDocuments = try fields.bool("return_documents") ?? false
        try fields.refuse("max_chunks_per_doc", "asks for chunks, and a document is ranked whole")
        try fields.refuse("rank_fields", "asks for fields, and a document is its text")
        fields.accept("user")
    }

    private static func documents(_ fields: inout WireFields) throws -> [String] {
        guard let elements = try fields.list("documents", of: "documents") else {
            throw fields.missing("documents", takes: "a list of documents")
        }
        guard !elements.isEmpty else {
            throw BreezeError.field(fields.path.member("documents"), "is empty", takes: "a document or more")
        }
        return try elements.map { element in
            if let text = element.value.string { return text }
            guard element.value.members != nil else {
                let takes = "a string, or an object with text"
                throw BreezeError.field(element.path, "is \(element.value.kindName)", takes: takes)
            }
            return try fields.read(element.value, at: element.path) { try $0.requiredString("text") }
        }
    }

    package func answer(_ result: InferenceResult) throws -> [UInt8] {
        guard case .ranking(let ranking) = result.output else {
            throw BreezeError(.invalidOutput, "The runner \(result.runner) answered with no ranking.")
        }
        let documents = request.inputs ?? []
        return JSONWriter.object { writer in
            writer.field("id", "rerank-\(request.id)")
            writer.field("object", "list")
            writer.field("model", model)
            writer.array("results") { writer in
                for ranked in ranking.prefix(topCount ?? ranking.count) {
                    writer.object { writer in
                        writer.field("index", ranked.index)
                        writer.field("relevance_score", ranked.score)
                        guard returnsDocuments, documents.indices.contains(ranked.index) else { return }
                        writer.object("document") { $0.field("text", documents[ranked.index]) }
                    }
                }
            }
            writer.object("usage") { writer in
                writer.field("prompt_tokens", result.usage.inputTokens)
                writer.field("total_tokens", result.usage.inputTokens)
            }
            writer.field("breeze", BreezeAccount([result], remarks))
        }
    }
}
