/// Turns text into the ids a model was trained on.
public protocol Tokenizer: Sendable {
    /// Number of ids; every id that ``encode(_:)`` returns is below it.
    var vocabularySize: Int { get }

    /// The ids of `text`, without the special tokens that frame a sequence.
    func encode(_ text: String) -> [Int32]

    /// The ids of `text` in the frame that the model expects (`[CLS] … [SEP]`), at most `limit` in all.
    ///
    /// What does not fit is cut from the end of the text, never from the frame, and is counted in the answer.
    /// - Throws: `BreezeError` with code `invalid_parameter` when the frame alone is longer than `limit`.
    func encode(_ text: String, limit: Int) throws -> TokenizedText

    /// The ids and token types of two texts in the model's frame for pairs (`[CLS] … [SEP] … [SEP]`), at most
    /// `limit` ids in all: what cross-encoders and classifiers of pairs read.
    ///
    /// - Throws: `BreezeError` with code `unsupported` when the tokenizer states no frame for pairs,
    ///   `invalid_parameter` when the frame alone is longer than `limit`, or when `truncation` is
    ///   `onlySecond` and the first text leaves no room for the second.
    func encode(
        _ first: String,
        _ second: String,
        limit: Int,
        truncation: PairTruncation
    ) throws -> TokenizedText
}

extension Tokenizer {
    /// Cuts the longer text first.
    public func encode(_ first: String, _ second: String, limit: Int) throws -> TokenizedText {
        try encode(first, second, limit: limit, truncation: .longestFirst)
    }
}
