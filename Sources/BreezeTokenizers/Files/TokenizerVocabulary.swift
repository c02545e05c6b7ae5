/// A vocabulary as GGUF and SentencePiece files have it: plain values, from which ``makeTokenizer(named:)`` makes a
/// tokenizer.
public struct TokenizerVocabulary: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        /// Byte-pair encoding with merges; what the words are is said by ``preTokenizer``.
        case bytePair
        /// SentencePiece's byte-pair encoding, in which scores rank the merges.
        case sentencePiece
        /// SentencePiece's unigram model.
        case unigram
        /// BERT's, with the visible space before what begins a word.
        case wordPiece
    }

    /// The raw values are those of GGUF and of SentencePiece.
    public enum TokenKind: Int, Sendable, Hashable {
        case normal = 1
        case unknown = 2
        case control = 3
        case userDefined = 4
        case unused = 5
        case byte = 6
    }

    public struct SpecialIDs: Sendable, Hashable {
        public var beginning: Int?
        public var end: Int?
        public var unknown: Int?
        public var separator: Int?

        public init(beginning: Int? = nil, end: Int? = nil, unknown: Int? = nil, separator: Int? = nil) {
            self.beginning = beginning
            self.end = end
            self.unknown = unknown
            self.separator = separator
        }
    }

    public var kind: Kind
    /// UTF-8, by id.
    public var tokens: [[UInt8]]
    /// One for each token, or none.
    public var scores: [Float] = []
    /// One for each token, or none: then all are normal.
    public var tokenKinds: [TokenKind] = []
    /// Two tokens with a space between them, in the order of their ranks.
    public var merges: [[UInt8]] = []
    /// llama.cpp's name for the way words are divided: `llama-bpe`, `qwen2`.
    public var preTokenizer: String?
    public var specialIDs = SpecialIDs()
    /// Whether the frame of a text begins and ends with a token; `nil` for what is usual for the kind.
    public var addsBeginning: Bool?
    public var addsEnd: Bool?
    /// Whether a text gets a space in front; `nil` for what is usual for the kind.
    public var addsSpacePrefix: Bool?
    public var removesExtraSpaces = false
    /// Whether spaces become U+2581.
    public var escapesSpaces = true
    /// Whether the visible space ends words.
    public var spaceIsSuffix = false
    /// SentencePiece's `precompiled_charsmap`; empty where nothing is replaced.
    public var characterMap: [UInt8] = []
    /// Encodes and decodes as SentencePiece itself does, and not as llama.cpp: which tokens may be made of text,
    /// and how sums are rounded.
    var followsSentencePiece = false

    public init(kind: Kind, tokens: [[UInt8]]) {
        self.kind = kind
        self.tokens = tokens
    }
}
