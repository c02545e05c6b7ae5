import BreezeCore
import BreezeModels
import BreezeTokenizers

/// One request on its way through a loaded encoder.
struct EncoderJob: Sendable {
    let encoder: TextEncoder
    let request: InferenceRequest
    let sink: ChunkSink
    /// Whether a text beyond the model's limit is cut, and reported, or an error.
    let truncates: Bool

    init(encoder: TextEncoder, request: InferenceRequest, sink: ChunkSink) {
        self.encoder = encoder
        self.request = request
        self.sink = sink
        truncates = request.configuration[parameter: "truncate"]?.boolValue ?? true
    }

    func embed() async throws -> (InferenceOutput, EncoderAccount) {
        var account = EncoderAccount()
        var vectors: [[Float]] = []
        try await encode(request.texts, named: "Text", account: &account) { index, vector in
            vectors.append(vector)
            try await send(.embedding(index: index, vector: vector))
        }
        return (.embeddings(vectors), account)
    }

    func classify(
        account: EncoderAccount = EncoderAccount(),
        _ head: @Sendable ([Float]) -> Classification
    ) async throws -> (InferenceOutput, EncoderAccount) {
        var account = account
        var found: [Classification] = []
        try await encode(request.texts, named: "Text", account: &account) { index, vector in
            found.append(head(vector))
            try await send(.classification(index: index, found[index]))
        }
        return (.classifications(found), account)
    }

    /// Each document read together with the query.
    func rank() async throws -> (InferenceOutput, EncoderAccount) {
        guard let query = request.prompt, let documents = request.inputs else {
            throw BreezeError(
                .invalidRequest,
                "A ranking needs a query and documents.",
                remedy: "Give the query as prompt and the documents as inputs."
            )
        }
        let head = encoder.configuration.head
        var account = EncoderAccount()
        var ranking: [RankedDocument] = []
        try await encode(count: documents.count, named: "Document", account: &account) { index in
            try encoder.tokenize(query: query, document: documents[index])
        } consume: { index, logits in
            ranking.append(RankedDocument(index: index, score: head?.relevance(logits) ?? 0))
            let progress = InferenceChunk.Progress(
                stage: "ranking",
                completed: index + 1,
                total: documents.count
            )
            try await send(.progress(progress))
        }
        return (.ranking(ranking.sorted { ($0.score, $1.index) > ($1.score, $0.index) }), account)
    }

    /// Learns the categories from their examples.
    func learn(_ categories: [ClassificationCategory]) async throws -> LearntCategories {
        let examples = categories.enumerated().flatMap { label, category in
            category.examples.filter { !$0.isEmpty }.map { (label: label, text: $0) }
        }
        var vectors: [[Float]] = []
        var account = EncoderAccount()
        try await encode(examples.map(\.text), named: "Example", account: &account) { index, vector in
            vectors.append(vector)
            let progress = InferenceChunk.Progress(
                stage: "learning from examples",
                completed: index + 1,
                total: examples.count
            )
            try await send(.progress(progress))
        }
        let head = try FewShotHead(
            labels: categories.map(\.name),
            vectors: vectors,
            targets: examples.map(\.label)
        )
        return LearntCategories(head: head, account: account)
    }

    private func send(_ content: InferenceChunk.Content) async throws {
        try await sink.send(InferenceChunk(requestID: request.id, content))
    }

    private func encode(
        _ texts: [String],
        named name: String,
        account: inout EncoderAccount,
        consume: (Int, [Float]) async throws -> Void
    ) async throws {
        let type = request.inputType
        try await encode(count: texts.count, named: name, account: &account) { index in
            try encoder.tokenize(texts[index], as: type)
        } consume: { index, vector in
            try await consume(index, vector)
        }
    }

    /// `name` is what a message calls a text: `Text` for `Text 2`.
    private func encode(
        count: Int,
        named name: String,
        account: inout EncoderAccount,
        tokenize: @escaping @Sendable (Int) throws -> TokenizedText,
        consume: (Int, [Float]) async throws -> Void
    ) async throws {
        let (encoder, truncates) = (encoder, truncates)
        let lane = encoder.pool.makeLane()
        try await inOrder(count: count, window: encoder.pool.window) { index in
            try Task.checkCancellation()
            let tokens = try tokenize(index)
            if tokens.truncatedCount > 0, !truncates {
                throw BreezeError(
                    .contextSizeExceeded,
                    "\(name) \(index + 1) has \(tokens.totalCount) tokens and the model reads \(encoder.limit).",
                    remedy: "Shorten or split it, or let it be truncated."
                )
            }
            return try await encoder.encode(tokens, in: lane)
        } consume: { index, encoding in
            account.add(encoding, name: "\(name) \(index + 1)", limit: encoder.limit)
            try await consume(index, encoding.vector)
        }
    }
}
