/// The kinds of files that tokenizers are made from. Open, so that an app can name its own.
public struct TokenizerFormat: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// `tokenizer.json` whose model is BPE or Unigram.
    public static let bytePair = TokenizerFormat(rawValue: "bpe")
    /// `tokenizer.model`, `spiece.model`, `sentencepiece.bpe.model`.
    public static let sentencePiece = TokenizerFormat(rawValue: "sentencepiece")
    /// `vocab.txt`, or a `tokenizer.json` whose model is WordPiece.
    public static let wordPiece = TokenizerFormat(rawValue: "wordpiece")
    /// A `.tflite` file with its tokenizer beside it.
    public static let tfliteBundle = TokenizerFormat(rawValue: "tflite")
    /// An `.mlpackage` or `.mlmodelc` with its tokenizer beside or inside it.
    public static let coreMLBundle = TokenizerFormat(rawValue: "coreml")
}
