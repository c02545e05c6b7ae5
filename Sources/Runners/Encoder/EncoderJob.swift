import BreezeCore
import BreezeTokenizers

/// One request on its way through a loaded encoder.
struct EncoderJob: Sendable {
    let encoder: TextEncoder
    let request: InferenceRequest
    let sink: ChunkSink
    /// Whether a text beyond the model's limit is cut, and reported, or an error.
    let truncates: Bool

    func send(_ content: InferenceChunk.Content) async throws {
        try await sink.send(InferenceChunk(requestID: request.id, content))
    }

    /// `name` is what a message calls the text: `Text 2`.
    func embed(_ text: String, name: String, account: inout EncoderAccount) async throws -> [Float] {
        try Task.checkCancellation()
        let tokens = try encoder.tokenize(text)
        if tokens.truncatedCount > 0, !truncates {
            throw BreezeError(
                .contextSizeExceeded,
                "\(name) has \(tokens.totalCount) tokens and the model reads \(encoder.limit).",
                remedy: "Shorten or split it, or let it be truncated."
            )
        }
        let encoding = try await encoder.encode(tokens)
        account.add(encoding, name: name, limit: encoder.limit)
        return encoding.vector
    }

    /// Learns the categories from their examples.
    func learn(_ categories: [ClassificationCategory]) async throws -> LearntCategories {
        let examples = categories.enumerated().flatMap { label, category in
            category.examples.filter { !$0.isEmpty }.map { (label: label, text: $0) }
        }
        var vectors: [[Float]] = []
        var account = EncoderAccount()
        for (index, example) in examples.enumerated() {
            let name = "Example \(index + 1)"
            vectors.append(try await embed(example.text, name: name, account: &account))
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
}

/// What a request used, and what its caller should know.
struct EncoderAccount: Sendable {
    private var usage = Usage()
    private var truncated: [String] = []
    private var limit = 0

    mutating func add(_ encoding: TextEncoder.Encoding, name: String, limit: Int) {
        usage.inputTokens += encoding.tokenCount
        guard encoding.truncatedCount > 0 else { return }
        usage.truncatedTokens = (usage.truncatedTokens ?? 0) + encoding.truncatedCount
        truncated.append(name)
        self.limit = limit
    }

    func result(_ request: InferenceRequest, _ output: InferenceOutput, runner: String) -> InferenceResult {
        var result = InferenceResult(requestID: request.id, output: output, runner: runner, usage: usage)
        if let tokens = usage.truncatedTokens {
            let which = truncated.count == 1 ? "\(truncated[0]) was" : "\(truncated.count) texts were"
            result.notices.append(
                "\(which) longer than the model's \(limit) tokens: \(tokens) tokens were left out."
            )
        }
        return result
    }
}
