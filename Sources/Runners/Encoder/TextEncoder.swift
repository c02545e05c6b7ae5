import BreezeCore
import BreezeOnnxRuntime
import BreezeTokenizers

/// A loaded encoder: text in, vector out.
struct TextEncoder: Sendable {
    struct Encoding: Sendable {
        let vector: [Float]
        /// Tokens that the model read, the two that frame the text included.
        let tokenCount: Int
        let truncatedCount: Int
    }

    /// Tokens that the model reads at most, the frame included.
    let limit: Int
    private let session: OnnxSession
    private let assets: EncoderAssets

    /// BERT's own limit, where a model does not name one.
    private static let defaultLimit = 512

    init(session: OnnxSession, assets: EncoderAssets, limit: Int?) {
        self.session = session
        self.assets = assets
        self.limit = limit ?? Self.defaultLimit
    }

    func tokenize(_ text: String) throws -> TokenizedText {
        try assets.tokenizer.encode(assets.lowercasesFirst ? text.lowercased() : text, limit: limit)
    }

    func encode(_ text: TokenizedText) async throws -> Encoding {
        let ids = text.ids.map(Int64.init)
        let shape = [1, ids.count]
        let outputs = try await session.run(
            inputs: [
                OnnxTensor("input_ids", ids, shape: shape),
                OnnxTensor("attention_mask", [Int64](repeating: 1, count: ids.count), shape: shape),
                OnnxTensor("token_type_ids", [Int64](repeating: 0, count: ids.count), shape: shape),
            ],
            outputs: ["sentence_embedding"]
        )
        guard let vector = outputs.first?.floats, !vector.isEmpty, vector.allSatisfy(\.isFinite) else {
            throw BreezeError(
                .invalidOutput,
                "The encoder gave no usable vector.",
                remedy: "Its weights may be damaged: remove the model and import it again."
            )
        }
        return Encoding(vector: vector, tokenCount: ids.count, truncatedCount: text.truncatedCount)
    }
}
