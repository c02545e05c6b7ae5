import BreezeCore
import Foundation

/// A text that is about to be sent, cut where the request wants it cut.
struct TextAnswer {
    let text: String
    /// The label is not counted.
    let tokens: Int
    let finishReason: InferenceResult.FinishReason
    /// Takes a piece off the text's start.
    private let cut: (inout Substring) -> Substring?

    /// Joined they are ``text``. Cut as they are asked for: an answer of a thousand words, a thousand times at once, is
    /// otherwise mostly their list.
    var pieces: some Sequence<Substring> { sequence(state: text[...], next: cut) }

    /// `reply` under the label, up to the first stop string or the token limit.
    init(labelled reply: String, values: MockValues) {
        let beforeStop = Self.text(reply, before: values.strings(MockParameter.stop.name))
        let words = beforeStop.isEmpty ? "" : " \(beforeStop)"
        let limit = values.integer(MockParameter.maxTokens.name) ?? .max
        var (rest, tokens) = (words[...], 0)
        while tokens < limit, Words.takeFirst(of: &rest) != nil { tokens += 1 }
        text = MockRunners.label + (tokens > 0 ? String(words[..<rest.startIndex]) : "")
        self.tokens = tokens
        finishReason = Words.takeFirst(of: &rest) == nil ? .stop : .length
        cut = Words.takeFirst
    }

    /// A value of the guided output's schema, as compact JSON with sorted keys: whole, or an error.
    init(guidedBy schema: JSONValue, values: MockValues) throws {
        let json = try SchemaSample.value(for: schema, parameter: "guidedOutput").compactText()
        text = json
        cut = Self.takeFirst
        tokens = sequence(state: json[...], next: cut).reduce(0) { count, _ in count + 1 }
        finishReason = .stop
        if let limit = values.integer(MockParameter.maxTokens.name), tokens > limit {
            throw BreezeError(
                .invalidOutput,
                "The guided output has \(tokens) tokens, and maxTokens lets \(limit) through.",
                remedy: "Set maxTokens to \(tokens) or more."
            )
        }
        if Self.text(json, before: values.strings(MockParameter.stop.name)) != json {
            throw BreezeError(
                .invalidOutput,
                "A stop string would cut the guided output short.",
                remedy: "Leave stop strings out of requests with guided output."
            )
        }
    }

    private static func text(_ text: String, before stops: [String]) -> String {
        let ends = stops.compactMap { text.firstRange(of: $0)?.lowerBound }
        return ends.min().map { String(text[..<$0]) } ?? text
    }

    /// Compact JSON has no white space to cut at, so a piece ends after a comma or a colon.
    private static func takeFirst(of json: inout Substring) -> Substring? {
        guard !json.isEmpty else { return nil }
        let end = json.firstIndex { $0 == "," || $0 == ":" }.map { json.index(after: $0) } ?? json.endIndex
        defer { json = json[end...] }
        return json[..<end]
    }
}

extension MockStage {
    func send(_ answer: TextAnswer, of turn: MockTurn, into sink: ChunkSink) async throws {
        try await send(answer.pieces, of: turn, into: sink) { .text($0.joined()) }
    }
}
