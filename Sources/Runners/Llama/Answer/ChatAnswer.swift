#if Llama
import BreezeCore
import CLlama
import Foundation

/// A chat answer while it grows: tokens go in, chunks go out.
struct ChatAnswer {
    private(set) var text = ""
    private(set) var reasoning = ""
    private(set) var tokenCount = 0
    private(set) var isOver = false
    var timings = Timings()
    var cachedTokens = 0

    private let request: InferenceRequest
    private let model: LlamaModel
    private let sink: ChunkSink
    private let inputTokens: Int
    /// Control tokens whose text the answer's parser needs.
    private let shown: Set<llama_token>
    private var assembler = TextAssembler()
    private var stops: StopScanner
    private var reader: AnswerReader
    private var toolCalls: [ToolCall] = []
    private var finishReason = InferenceResult.FinishReason.stop
    private var logprobs: [TokenLogprobs] = []
    private var notices: [String] = []

    init(_ request: InferenceRequest, _ prompt: LlamaSession.Prompt, _ model: LlamaModel, _ sink: ChunkSink)
        throws
    {
        self.request = request
        self.model = model
        self.sink = sink
        inputTokens = prompt.tokens.count
        shown = Set(
            prompt.applied.preserved.compactMap { text in
                let tokens = model.tokenize(text, special: true, framed: false)
                return tokens.count == 1 ? tokens[0] : nil
            }
        )
        stops = StopScanner((request.configuration.stop ?? []) + prompt.applied.stops)
        let configuration = request.configuration
        let mayCall = !(configuration.tools ?? []).isEmpty && configuration.toolChoice != ToolChoice.none
        // Where the template guides the answer, its parser takes the JSON out of what is around it.
        let isWrapped = configuration.guidedOutput != nil && prompt.grammar == nil
        let calls = mayCall || isWrapped
        reader = AnswerReader(prompt.applied, requestID: request.id, calls: calls)
    }

    var wantsLogprobs: Bool { (request.configuration.logprobs ?? 0) > 0 }

    mutating func note(_ logits: UnsafeBufferPointer<Float>, chosen: llama_token) {
        logprobs.append(
            TokenLogprobs(logits, chosen: chosen, count: request.configuration.logprobs ?? 0) { token in
                model.bytes(of: token, special: true)
            }
        )
    }

    mutating func append(_ token: llama_token) async throws {
        tokenCount += 1
        if model.ends(with: token) {
            isOver = true
            return
        }
        let piece = assembler.append(model.bytes(of: token, special: shown.contains(token)))
        let (settled, isStopped) = stops.append(piece)
        try await take(settled)
        if isStopped {
            isOver = true
        } else if tokenCount >= request.configuration.maxTokens ?? .max {
            (isOver, finishReason) = (true, .length)
        }
    }

    mutating func contextIsFull(_ size: Int) {
        finishReason = .length
        notices.append("The answer ends where the context of \(size) tokens is full; contextSize sets it.")
    }

    /// The model ended: what was held back goes out.
    mutating func finish() async throws {
        let (settled, isStopped) = stops.append(assembler.finish())
        try await take(settled + (isStopped ? "" : stops.finish()))
        try await send(try reader.finish())
        if !toolCalls.isEmpty { finishReason = .toolCalls }
    }

    private mutating func take(_ piece: String) async throws {
        guard !piece.isEmpty else { return }
        try await send(try reader.append(piece))
    }

    private mutating func send(_ parts: AnswerReader.Parts) async throws {
        text += parts.text
        toolCalls += parts.toolCalls
        if !parts.reasoning.isEmpty {
            reasoning += parts.reasoning
            try await send(.reasoning(parts.reasoning))
        }
        if !parts.text.isEmpty { try await send(.text(parts.text)) }
        for call in parts.toolCalls { try await send(.toolCall(call)) }
    }

    private func send(_ content: InferenceChunk.Content) async throws {
        try await sink.send(InferenceChunk(requestID: request.id, content))
    }

    func result(_ signature: LlamaSession.Signature) -> InferenceResult {
        InferenceResult(
            requestID: request.id,
            output: .text(text),
            reasoning: reasoning.isEmpty ? nil : reasoning,
            runner: signature.runner,
            model: signature.model,
            runtime: "llama.cpp",
            toolCalls: toolCalls,
            finishReason: finishReason,
            usage: Usage(
                inputTokens: inputTokens,
                outputTokens: tokenCount,
                cachedTokens: cachedTokens > 0 ? cachedTokens : nil
            ),
            timings: timings,
            logprobs: wantsLogprobs ? logprobs : nil,
            notices: notices
        )
    }
}

extension TokenLogprobs {
    /// From the scores as the model gave them, before sampling changed them.
    init(
        _ logits: UnsafeBufferPointer<Float>,
        chosen: llama_token,
        count: Int,
        bytes: (llama_token) -> [UInt8]
    ) {
        let most = logits.max() ?? 0
        let sum = logits.reduce(0.0) { $0 + Double(expf($1 - most)) }
        let base = Double(most) + log(sum)
        func entry(_ token: Int) -> Entry {
            let bytes = bytes(llama_token(token))
            return Entry(
                id: token,
                token: String(decoding: bytes, as: UTF8.self),
                bytes: bytes,
                logprob: Double(logits[token]) - base
            )
        }
        let top = logits.indices.largest(count) { logits[$0] }
        self.init(chosen: entry(Int(chosen)), top: top.map(entry))
    }
}

extension Range<Int> {
    /// The `count` with the largest values, largest first; one pass, which for a vocabulary of 150,000 matters.
    fileprivate func largest(_ count: Int, by value: (Int) -> Float) -> [Int] {
        var kept: [Int] = []
        for index in self {
            if kept.count == count, let last = kept.last, value(index) <= value(last) { continue }
            let place = kept.firstIndex { value($0) < value(index) } ?? kept.count
            kept.insert(index, at: place)
            if kept.count > count { kept.removeLast() }
        }
        return kept
    }
}
#endif
