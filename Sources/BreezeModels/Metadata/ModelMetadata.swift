public import BreezeCore

/// What a model's files say of it. Whatever they do not state is `nil` or empty: nothing is guessed.
///
/// The texts are a stranger's: cut at 64 KiB, otherwise as they stand.
public struct ModelMetadata: Codable, Hashable, Sendable {
    public var format: ModelFormat
    /// The model's name in its own words.
    public var name: String?
    public var author: String?
    public var description: String?
    /// The model's own version, not its format's.
    public var version: String?
    /// What kind of model the file says it is: `mlProgram` (Core ML), `adapter` (GGUF), the class that runs
    /// it (`BertModel`, of `config.json`).
    public var modelType: String?
    /// The family: `qwen3`, `bert`, `whisper`.
    public var architecture: String?
    /// What it can be asked for, where the metadata says so.
    public var capabilities: [AICapability]
    public var inputs: [TensorDescription]
    public var outputs: [TensorDescription]
    /// Tensors that hold weights; of all tensors where the format keeps them together.
    public var tensorCount: Int?
    /// Elements of the weights, those of a quantised matrix counted as if it were none.
    public var parameterCount: Int64?
    /// Bytes in memory while it runs: the weights, and the working memory that the format states or lets
    /// compute. A lower bound, except where the format says all of it.
    public var memoryEstimate: Int64?
    /// The field's own name: `Q4_K_M`, `4-bit`, `int8`; of unquantised weights their element type (`F16`).
    public var quantization: String?
    /// Tokens of input and output together.
    public var contextLength: Int?
    /// `nil` where the format has no place for one.
    public var hasChatTemplate: Bool?
    /// As the model states it: `gpt2` (GGUF), `BertTokenizer` (Hugging Face), `SentencePiece`.
    public var tokenizer: String?
    /// An SPDX identifier where it can be told, else the publisher's word or text.
    public var license: String?
    /// Files that belong to the model and are not there, or are shorter than they must be, by their names.
    public var missingPieces: [String]
    /// Bytes on disk of the files that belong to the model and are there.
    public var size: Int64
    /// What else the format states, under the format's own words.
    public var extra: [String: JSONValue]

    public init(format: ModelFormat, size: Int64 = 0) {
        self.format = format
        self.size = size
        capabilities = []
        inputs = []
        outputs = []
        missingPieces = []
        extra = [:]
    }
}
