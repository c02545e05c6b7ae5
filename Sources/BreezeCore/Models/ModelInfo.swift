/// What is known of one model: enough to choose it, to say what it costs, and to find its files.
public struct ModelInfo: Codable, Hashable, Sendable, Identifiable {
    /// Lower-case, unique within a store: `all-minilm-l6-v2`.
    public var id: String
    /// As its publisher writes it.
    public var name: String
    public var format: ModelFormat
    /// The frameworks that can run it in this format, best first.
    public var frameworks: [Framework]
    public var capabilities: [AICapability]
    /// The model family as its own configuration names it: `bert`, `llama`, `qwen3`.
    public var architecture: String?
    /// Bytes on disk, every file counted.
    public var size: Int64
    /// Bytes in memory while it runs with default settings; `nil` where nobody measured or computed it.
    public var estimatedMemory: Int64?
    /// Tokens of input and output together.
    public var contextLength: Int?
    public var parameterCount: Int64?
    /// The field's own name for it: `F32`, `Q4_K_M`, `int8`.
    public var quantization: String?
    /// An SPDX identifier where the publisher gives one; `nil` when no licence was found. Never guessed.
    public var license: String?
    /// Where it came from: an address, a package's name, or a folder.
    public var source: String?
    /// SHA-256 of the weights, 64 lower-case hexadecimal digits.
    public var digest: String?

    public init(
        id: String,
        name: String? = nil,
        format: ModelFormat,
        frameworks: [Framework] = [],
        capabilities: [AICapability] = [],
        architecture: String? = nil,
        size: Int64 = 0,
        estimatedMemory: Int64? = nil,
        contextLength: Int? = nil,
        parameterCount: Int64? = nil,
        quantization: String? = nil,
        license: String? = nil,
        source: String? = nil,
        digest: String? = nil
    ) {
        self.id = id
        self.name = name ?? id
        self.format = format
        self.frameworks = frameworks
        self.capabilities = capabilities
        self.architecture = architecture
        self.size = size
        self.estimatedMemory = estimatedMemory
        self.contextLength = contextLength
        self.parameterCount = parameterCount
        self.quantization = quantization
        self.license = license
        self.source = source
        self.digest = digest
    }
}
