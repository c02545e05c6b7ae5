import BreezeCore

/// The pieces of an answer that may not leave yet, and what was checked of it.
struct GuardedAnswer: Sendable {
    /// Bytes that may wait behind a text that holds its end back.
    private static let backlog = 4096

    private enum Channel: Hashable {
        case text, reasoning
    }

    /// A dictionary of two, which each piece of an answer is looked up in.
    private struct ByChannel<Value: Sendable>: Sendable {
        private var text: Value?
        private var reasoning: Value?

        subscript(channel: Channel) -> Value? {
            get { channel == .text ? text : reasoning }
            set { if channel == .text { text = newValue } else { reasoning = newValue } }
        }

        /// Taken out, so that it is changed and not copied.
        mutating func take(_ channel: Channel) -> Value? {
            channel == .text ? text.take() : reasoning.take()
        }
    }

    private enum Item {
        /// The channel's text before this position.
        case text(Channel, upTo: Int)
        case content(InferenceChunk.Content, size: Int)
    }

    private let rule: GuardianRule
    private let checker: GuardianChecker
    private let requestID: String
    private var channels = ByChannel<GuardedText>()
    private var queue: [Item] = []
    /// Bytes in the queue behind its first item.
    private var waiting = 0
    private var letOut = ByChannel<LetOut>()
    private var checkedCalls: Set<ToolCall> = []
    private var record = GuardianRecord()

    init(to request: InferenceRequest, rule: GuardianRule, checker: GuardianChecker) throws {
        var rule = rule
        rule.isEditable = request.configuration.guidedOutput == nil
        self.rule = rule
        self.checker = checker
        requestID = request.id
    }
}

extension GuardedAnswer {
    mutating func accept(_ chunk: InferenceChunk) async throws {
        switch chunk.content {
        case .text(let piece): try await accept(piece, on: .text)
        case .reasoning(let piece): try await accept(piece, on: .reasoning)
        case .toolCall(let call):
            try await check(call)
            enqueue(.content(chunk.content, size: call.arguments.words.utf8.count))
        case .audio(let data): enqueue(.content(chunk.content, size: data.count))
        case .embedding, .classification: enqueue(.content(chunk.content, size: 64))
        // No part of the answer, and late it is of no use.
        case .progress: queue.insert(.content(chunk.content, size: 0), at: 0)
        // The whole answer is the engine's to send, when it is checked.
        case .result: break
        }
        if waiting > Self.backlog { try await letFirstGo() }
    }

    private mutating func accept(_ piece: String, on channel: Channel) async throws {
        guard !piece.isEmpty else { return }
        var text = try channels.take(channel) ?? GuardedText(rule, try checker.inspector())
        try await text.append(piece)
        channels[channel] = text
        if case .text(channel, upTo: _) = queue.last {
            if queue.count > 1 { waiting += piece.utf8.count }
            queue[queue.count - 1] = .text(channel, upTo: text.length)
        } else {
            enqueue(.text(channel, upTo: text.length), size: piece.utf8.count)
        }
    }

    private mutating func enqueue(_ item: Item, size: Int = 0) {
        var size = size
        if case .content(_, let bytes) = item { size = bytes }
        if !queue.isEmpty { waiting += size }
        queue.append(item)
    }

    /// So that a text which holds its end back does not hold back what follows without end.
    private mutating func letFirstGo() async throws {
        guard case .text(let channel, upTo: _) = queue.first, var text = channels.take(channel)
        else { return }
        try await text.settle()
        channels[channel] = text
    }

    /// What may leave now, in order.
    mutating func releasable() -> [InferenceChunk.Content] {
        var free: [InferenceChunk.Content] = []
        defer { waiting = queue.dropFirst().reduce(0) { $0 + size(of: $1) } }
        while let first = queue.first {
            switch first {
            case .content(let content, _): free.append(content)
            case .text(let channel, let position):
                var text = channels.take(channel)
                let piece = text?.take(upTo: position) ?? ""
                channels[channel] = text
                if !piece.isEmpty {
                    note(piece, on: channel)
                    free.append(channel == .text ? .text(piece) : .reasoning(piece))
                }
                guard (channels[channel]?.released ?? position) >= position else { return free }
            }
            queue.removeFirst()
        }
        return free
    }

    private mutating func note(_ piece: String, on channel: Channel) {
        // Thoughts are no part of what the runner says in the end, and an edited text is nowhere else.
        let isSaidAgain = channel == .text && !(rule.mode == .filter && rule.isEditable)
        var whole = letOut.take(channel) ?? LetOut(keepsWords: !isSaidAgain)
        whole.append(piece)
        letOut[channel] = whole
    }

    private func size(of item: Item) -> Int {
        switch item {
        case .content(_, let size): size
        case .text(let channel, let position): position - (channels[channel]?.released ?? 0)
        }
    }
}

// MARK: - The whole answer

extension GuardedAnswer {
    /// Checks what is left. Nothing of the answer may leave before this has returned.
    mutating func conclude(_ result: InferenceResult) async throws -> InferenceResult {
        var result = result
        var texts: [GuardedText] = []
        for channel in [Channel.reasoning, .text] {
            guard var text = channels[channel] else { continue }
            try await text.finish()
            channels[channel] = text
            texts.append(text)
        }
        result.reasoning = try await checked(thoughts: result.reasoning)
        for call in result.toolCalls { try await check(call) }
        if let words = result.output.text { result.output = try await checked(words, of: result.output) }
        for text in texts { record.note(text) }
        result.guardianVerdicts += record.verdicts
        result.notices += record.notices
        return result
    }

    /// What was thought in pieces, as it left; else what the runner says of it in the end.
    private mutating func checked(thoughts: String?) async throws -> String? {
        if let whole = whole(.reasoning) { return whole.words }
        guard let thoughts else { return nil }
        return try await examine(thoughts)
    }

    /// What left of a channel, and what is about to.
    private func whole(_ channel: Channel) -> LetOut? {
        guard var text = channels[channel] else { return nil }
        let rest = text.take(upTo: text.length)
        guard var whole = letOut[channel] else { return LetOut(rest) }
        whole.append(rest)
        return whole
    }

    private mutating func checked(
        _ words: String,
        of output: InferenceOutput
    ) async throws -> InferenceOutput {
        try await checkEscapes(in: words)
        var left = words
        if let text = channels[.text], let whole = whole(.text) {
            if !whole.isSame(as: words) {
                // A filter's work, or a runner that says two things: what left is the answer then.
                left =
                    if text.isChanged, let edited = whole.words { edited } else { try await examine(words) }
            }
        } else {
            left = try await examine(words)
        }
        guard case .transcript(var transcript) = output else { return left == words ? output : .text(left) }
        let segments = (transcript.segments ?? []).map(\.text).joined(separator: " ")
        let isWhole = left == words ? try await examine(segments) == segments : false
        transcript.text = left
        if !isWhole { transcript.segments = nil }
        return .transcript(transcript)
    }

    private mutating func examine(_ words: String) async throws -> String {
        try await checker.examine(words, rule, noting: &record)
    }

    /// In guided JSON a phrase may be written in escapes: what they stand for is checked too.
    private mutating func checkEscapes(in words: String) async throws {
        guard !rule.isEditable, words.utf8.contains(UInt8(ascii: "\\")) else { return }
        guard let value = try? JSONValue(parsing: Array(words.utf8)) else { return }
        _ = try await examine(value.words)
    }

    /// A call is passed on as it is, or not at all.
    private mutating func check(_ call: ToolCall) async throws {
        guard checkedCalls.insert(call).inserted else { return }
        var rule = rule
        rule.isEditable = false
        _ = try await checker.examine("\(call.name)\n\(call.arguments.words)", rule, noting: &record)
    }
}
