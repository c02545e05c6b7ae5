import BreezeCore
import BreezeModels
import BreezeTokenizers
import Foundation

/// A loaded encoder: text in, vector out.
struct TextEncoder: Sendable {
    struct Encoding: Sendable {
        /// The embedding, or the logits of the model's own labels.
        let vector: [Float]
        /// Tokens that the model read, those that frame the text included.
        let tokenCount: Int
        let truncatedCount: Int
    }

    let configuration: EncoderConfiguration
    let pool: EncoderPool
    /// What the caller should know of how the model came to run, as a sentence.
    let notice: String?
    private let tokenizer: WordPieceTokenizer
    private let lease: FileLease

    init(
        configuration: EncoderConfiguration,
        tokenizer: WordPieceTokenizer,
        pool: EncoderPool,
        lease: FileLease,
        notice: String?
    ) {
        self.configuration = configuration
        self.tokenizer = tokenizer
        self.pool = pool
        self.lease = lease
        self.notice = notice
    }

    /// Tokens that the model reads at most, the frame included.
    var limit: Int { configuration.maximumLength }

    func tokenize(_ text: String, as type: InputType? = nil) throws -> TokenizedText {
        try tokenizer.encode(folded((prompt(for: type) ?? "") + text), limit: limit)
    }

    /// The query whole, and as much of the document as fits behind it.
    func tokenize(query: String, document: String) throws -> TokenizedText {
        try tokenizer.encode(folded(query), folded(document), limit: limit, truncation: .onlySecond)
    }

    func encode(_ text: TokenizedText, in lane: EncoderQueue.Lane) async throws -> Encoding {
        let vector = try await pool.encode(text, in: lane)
        guard !vector.isEmpty, vector.allSatisfy(\.isFinite) else {
            throw BreezeError(
                .invalidOutput,
                "The encoder gave no usable vector.",
                remedy: "Its weights may be damaged: remove the model and import it again."
            )
        }
        return Encoding(
            vector: vector,
            tokenCount: text.ids.count,
            truncatedCount: text.truncatedCount
        )
    }

    /// What the model's publisher wants put before a text.
    private func prompt(for type: InputType?) -> String? {
        let name = type?.rawValue ?? configuration.defaultPrompt
        return name.flatMap { configuration.prompts[$0] }
    }

    private func folded(_ text: String) -> String {
        configuration.lowercasesFirst ? text.lowercased() : text
    }
}
