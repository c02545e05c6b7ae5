/// Turns text into the ids a model was trained on, and ids into text.
public protocol Tokenizer: Sendable {
    /// Number of ids; every id that ``encode(_:)`` returns is below it.
    var vocabularySize: Int { get }

    /// The ids of `text`, without the special tokens that frame a sequence.
    func encode(_ text: String) -> [Int32]

    /// The same, where the caller says if `<|im_end|>` in the text is that token or nine characters: text from
    /// outside a chat template is the latter.
    func encode(_ text: String, specialTokens: SpecialTokens) -> [Int32]

    /// Each id with the part of `text` that it stands for.
    func encodeWithOffsets(_ text: String, specialTokens: SpecialTokens) -> [TokenSpan]

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

    /// The text of ids. Ids that there are not are left out; bytes that are no UTF-8 become U+FFFD.
    func decode(_ ids: some Sequence<Int32>, skippingSpecialTokens: Bool) -> String

    /// For ids that come one by one.
    func streamingDecoder(skippingSpecialTokens: Bool) -> StreamingDecoder

    /// The token as the vocabulary has it, with its marks (`Ġthe`, `▁the`, `##ing`); `nil` where there is no such
    /// id.
    func token(_ id: Int32) -> String?

    /// Whether an id stands for something other than text.
    func isSpecial(_ id: Int32) -> Bool
}

/// What becomes of a special token's text where it is found in a text.
public enum SpecialTokens: Sendable, Hashable {
    /// It is that token.
    case parsed
    /// It is text as any other.
    case asText
}

/// An id, and the bytes of the text's UTF-8 that it stands for.
public struct TokenSpan: Sendable, Hashable {
    public let id: Int32
    /// Whole characters: ids that share one have the same range. Empty for what was put in by the tokenizer.
    public let range: Range<Int>

    public init(id: Int32, range: Range<Int>) {
        self.id = id
        self.range = range
    }
}

extension Tokenizer {
    /// Cuts the longer text first.
    public func encode(_ first: String, _ second: String, limit: Int) throws -> TokenizedText {
        try encode(first, second, limit: limit, truncation: .longestFirst)
    }

    /// How many ids the text has, without a frame.
    public func count(_ text: String, specialTokens: SpecialTokens = .parsed) -> Int {
        encode(text, specialTokens: specialTokens).count
    }

    public func encodeWithOffsets(_ text: String) -> [TokenSpan] {
        encodeWithOffsets(text, specialTokens: .parsed)
    }

    /// Leaves special tokens out.
    public func decode(_ ids: some Sequence<Int32>) -> String {
        decode(ids, skippingSpecialTokens: true)
    }

    /// Leaves special tokens out.
    public func streamingDecoder() -> StreamingDecoder {
        streamingDecoder(skippingSpecialTokens: true)
    }
}
