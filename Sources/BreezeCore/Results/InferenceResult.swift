/// A whole answer, and the account of how it came about.
public struct InferenceResult: Codable, Hashable, Sendable {
    public enum FinishReason: String, Codable, Sendable {
        /// The model ended by itself, or at a stop string.
        case stop
        /// At the token limit.
        case length
        case toolCalls
        /// A guardian ended it.
        case contentFilter
    }

    public var requestID: String
    public var output: InferenceOutput
    /// What the model thought aloud before it answered; `nil` where it did not.
    public var reasoning: String?
    /// The tools that the model wants called; empty where it wants none.
    public var toolCalls: [ToolCall]
    public var finishReason: FinishReason
    public var usage: Usage
    public var timings: Timings {
        get { boxedTimings.value }
        set { boxedTimings.value = newValue }
    }
    /// The runner that answered.
    public var runner: String
    public var model: String?
    /// What computed it, where the runner has a choice: a runtime's name, version and precision, for people to
    /// read.
    public var runtime: String?
    /// The answer was made up by a mock.
    public var isMock: Bool
    /// Filled in by the engine.
    public var routing: RoutingDecision? {
        get { boxedRouting.value }
        set { boxedRouting.value = newValue }
    }
    /// Filled in by the engine.
    public var parameters: ParameterReport?
    /// Filled in by a client of a hub: the way that the answer took.
    public var transport: TransportReport?
    /// One a generated token where ``InferenceConfig/logprobs`` asked for them.
    public var logprobs: [TokenLogprobs]?
    public var guardianVerdicts: [GuardianVerdict]
    /// What the caller should know and might not expect, as sentences: a truncation, a fallback.
    public var notices: [String]

    private var boxedTimings: Boxed<Timings>
    private var boxedRouting: Boxed<RoutingDecision?>

    private enum CodingKeys: String, CodingKey {
        case requestID, output, reasoning, toolCalls, finishReason, usage, runner, model, runtime, isMock
        case parameters, transport, logprobs, guardianVerdicts, notices
        case boxedTimings = "timings"
        case boxedRouting = "routing"
    }

    public init(
        requestID: String,
        output: InferenceOutput,
        reasoning: String? = nil,
        runner: String,
        model: String? = nil,
        runtime: String? = nil,
        toolCalls: [ToolCall] = [],
        finishReason: FinishReason = .stop,
        usage: Usage = Usage(),
        timings: Timings = Timings(),
        isMock: Bool = false,
        routing: RoutingDecision? = nil,
        parameters: ParameterReport? = nil,
        logprobs: [TokenLogprobs]? = nil,
        guardianVerdicts: [GuardianVerdict] = [],
        notices: [String] = []
    ) {
        self.requestID = requestID
        self.output = output
        self.reasoning = reasoning
        self.runner = runner
        self.model = model
        self.runtime = runtime
        self.toolCalls = toolCalls
        self.finishReason = finishReason
        self.usage = usage
        self.isMock = isMock
        self.parameters = parameters
        self.logprobs = logprobs
        self.guardianVerdicts = guardianVerdicts
        self.notices = notices
        boxedTimings = Boxed(timings)
        boxedRouting = Boxed(routing)
    }
}

/// Tokens that went in and came out.
public struct Usage: Codable, Hashable, Sendable {
    public var inputTokens: Int
    public var outputTokens: Int
    /// Input tokens that did not fit the model and were left out; `nil` where none was.
    public var truncatedTokens: Int?
    /// Input tokens that the runner had read for an earlier request and did not read again; `nil` where it had
    /// none.
    public var cachedTokens: Int?

    public init(
        inputTokens: Int = 0,
        outputTokens: Int = 0,
        truncatedTokens: Int? = nil,
        cachedTokens: Int? = nil
    ) {
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.truncatedTokens = truncatedTokens
        self.cachedTokens = cachedTokens
    }
}
