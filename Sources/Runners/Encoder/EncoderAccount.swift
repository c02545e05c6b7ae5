import BreezeCore

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
