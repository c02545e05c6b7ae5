public import BreezeCore

/// Chat from a table of canned replies, with tool calls and guided output made from their schemas.
///
/// The last user message decides the reply by its keywords. Through ``run(request:)`` without a streaming
/// callback the answer comes whole, so that no delay between words passes.
public struct MockLLMRunner: StreamingRunner {
    public let id = "mock:llm"
    public let supportedCapabilities: [AICapability] = [.chat]
    public let qualityTier = 0
    public let isMock = true
    public let memoryEstimate: Int64? = 0
    /// It holds nothing while it answers: what a server makes of many streams at once can be tried with it.
    public let concurrency = 4_096
    public let parameterSchema = Self.schema
    private let stage: MockStage

    /// Delays pass on `clock`.
    public init(clock: any Clock<Duration> = ContinuousClock()) {
        stage = MockStage(clock: clock)
    }

    public func load() async throws {}

    public func unload() async {}

    public func run(request: InferenceRequest) async throws -> InferenceResult {
        var request = request
        if request.streamingCallback == nil {
            request.configuration[parameter: MockParameter.delivery.name] = .string(MockParameter.whole)
        }
        return try await run(request: request, into: ChunkSink(callback: request.streamingCallback))
    }

    public func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
        var turn = try await stage.begin(request, for: self)
        if let call = try request.mockToolCall() { return try await send(call, of: request, into: sink) }
        let answer = try answer(&turn)
        try await stage.send(answer, of: turn, into: sink)
        return result(request, answer.text, tokens: answer.tokens, answer.finishReason)
    }

    // This and the next ones not within `run`, whose frame each answer keeps while it grows.
    @inline(never)
    private func send(
        _ call: ToolCall,
        of request: InferenceRequest,
        into sink: ChunkSink
    ) async throws -> InferenceResult {
        try await sink.send(InferenceChunk(requestID: request.id, .toolCall(call)))
        return result(request, "", tokens: try call.arguments.tokenCount, .toolCalls, [call])
    }

    @inline(never)
    private func answer(_ turn: inout MockTurn) throws -> TextAnswer {
        if let schema = turn.request.configuration.guidedOutput {
            return try TextAnswer(guidedBy: schema, values: turn.values)
        }
        let reply = try CannedReplies.embedded.table.reply(
            to: turn.request.conversation,
            style: turn.values.string(Self.responseStyle.name) ?? CannedReplies.standardStyle,
            temperature: turn.values.number("temperature") ?? 0,
            random: &turn.random
        )
        return TextAnswer(labelled: reply, values: turn.values)
    }

    @inline(never)
    private func result(
        _ request: InferenceRequest,
        _ text: String,
        tokens: Int,
        _ finishReason: InferenceResult.FinishReason,
        _ toolCalls: [ToolCall] = []
    ) -> InferenceResult {
        let inputTokens = request.conversation.reduce(0) { $0 + Words.count(in: $1.content) }
        return InferenceResult(
            requestID: request.id,
            output: .text(text),
            runner: id,
            toolCalls: toolCalls,
            finishReason: finishReason,
            usage: Usage(inputTokens: inputTokens, outputTokens: tokens),
            isMock: true
        )
    }
}

extension MockLLMRunner {
    private static let responseStyle = ParameterDescriptor(
        "responseStyle",
        "Response style",
        summary: "How much the reply says: a few words, some sentences, or a paragraph.",
        kind: .selection(["brief", CannedReplies.standardStyle, "detailed"]),
        default: .string(CannedReplies.standardStyle)
    )
    private static let temperature = ParameterDescriptor(
        "temperature",
        "Temperature",
        summary: "0 always gives a reply's first wording; above it the seed chooses among its wordings.",
        kind: .number(min: 0, max: 2),
        default: 0
    )
    private static let schema = ParameterSchema(
        MockParameter.streaming + [responseStyle, temperature, MockParameter.maxTokens, MockParameter.stop]
    )
}
