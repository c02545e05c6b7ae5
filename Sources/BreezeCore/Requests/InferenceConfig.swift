/// How a request is to be answered. Every value is optional: what the caller leaves out comes from the
/// engine's settings, then from the runner's defaults, and the result's ``ParameterReport`` says which.
public struct InferenceConfig: Hashable, Sendable {
    /// 0 picks the likeliest token always.
    public var temperature: Double?
    /// Nucleus sampling: keep the likeliest tokens that together reach this probability.
    public var topP: Double?
    public var topK: Int?
    /// Keep tokens at least this likely, relative to the likeliest.
    public var minP: Double?
    /// 1 is none.
    public var repetitionPenalty: Double?
    public var frequencyPenalty: Double?
    public var presencePenalty: Double?
    public var seed: Int?
    /// Most tokens to generate.
    public var maxTokens: Int?
    /// The answer ends before the first of these.
    public var stop: [String]?
    /// Tokens of input and output together.
    public var contextSize: Int?
    /// How many of the likeliest tokens to report the log-probabilities of, at each step.
    public var logprobs: Int?
    /// Seconds that the model stays loaded after the answer; negative is for ever.
    public var keepAlive: Double?
    /// Seconds that the request may take, queue and load included.
    public var timeout: Double?
    /// A JSON Schema that the answer satisfies, or the request fails.
    public var guidedOutput: JSONValue?
    public var tools: [ToolDefinition]?
    public var toolChoice: ToolChoice?
    /// Parameters that one runner's ``ParameterSchema`` defines beyond the ones above, by name.
    public var additional: [String: JSONValue]

    public init(
        temperature: Double? = nil,
        topP: Double? = nil,
        topK: Int? = nil,
        minP: Double? = nil,
        repetitionPenalty: Double? = nil,
        frequencyPenalty: Double? = nil,
        presencePenalty: Double? = nil,
        seed: Int? = nil,
        maxTokens: Int? = nil,
        stop: [String]? = nil,
        contextSize: Int? = nil,
        logprobs: Int? = nil,
        keepAlive: Double? = nil,
        timeout: Double? = nil,
        guidedOutput: JSONValue? = nil,
        tools: [ToolDefinition]? = nil,
        toolChoice: ToolChoice? = nil,
        additional: [String: JSONValue] = [:]
    ) {
        self.temperature = temperature
        self.topP = topP
        self.topK = topK
        self.minP = minP
        self.repetitionPenalty = repetitionPenalty
        self.frequencyPenalty = frequencyPenalty
        self.presencePenalty = presencePenalty
        self.seed = seed
        self.maxTokens = maxTokens
        self.stop = stop
        self.contextSize = contextSize
        self.logprobs = logprobs
        self.keepAlive = keepAlive
        self.timeout = timeout
        self.guidedOutput = guidedOutput
        self.tools = tools
        self.toolChoice = toolChoice
        self.additional = additional
    }
}

extension InferenceConfig: Codable {
    private enum CodingKeys: String, CodingKey {
        case temperature, topP, topK, minP, repetitionPenalty, frequencyPenalty, presencePenalty, seed,
            maxTokens
        case stop, contextSize, logprobs, keepAlive, timeout, guidedOutput, tools, toolChoice, additional
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        temperature = try values.decodeIfPresent(Double.self, forKey: .temperature)
        topP = try values.decodeIfPresent(Double.self, forKey: .topP)
        topK = try values.decodeIfPresent(Int.self, forKey: .topK)
        minP = try values.decodeIfPresent(Double.self, forKey: .minP)
        repetitionPenalty = try values.decodeIfPresent(Double.self, forKey: .repetitionPenalty)
        frequencyPenalty = try values.decodeIfPresent(Double.self, forKey: .frequencyPenalty)
        presencePenalty = try values.decodeIfPresent(Double.self, forKey: .presencePenalty)
        seed = try values.decodeIfPresent(Int.self, forKey: .seed)
        maxTokens = try values.decodeIfPresent(Int.self, forKey: .maxTokens)
        stop = try values.decodeIfPresent([String].self, forKey: .stop)
        contextSize = try values.decodeIfPresent(Int.self, forKey: .contextSize)
        logprobs = try values.decodeIfPresent(Int.self, forKey: .logprobs)
        keepAlive = try values.decodeIfPresent(Double.self, forKey: .keepAlive)
        timeout = try values.decodeIfPresent(Double.self, forKey: .timeout)
        guidedOutput = try values.decodeIfPresent(JSONValue.self, forKey: .guidedOutput)
        tools = try values.decodeIfPresent([ToolDefinition].self, forKey: .tools)
        toolChoice = try values.decodeIfPresent(ToolChoice.self, forKey: .toolChoice)
        additional = try values.decodeIfPresent([String: JSONValue].self, forKey: .additional) ?? [:]
    }
}
