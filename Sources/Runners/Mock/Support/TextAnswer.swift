import BreezeCore
import Foundation

/// A text that is about to be sent, cut where the request wants it cut.
struct TextAnswer {
    /// Joined they are ``text``.
    let pieces: [String]
    /// The label is not counted.
    let tokens: Int
    let finishReason: InferenceResult.FinishReason

    var text: String { pieces.joined() }

    /// `reply` under the label, up to the first stop string or the token limit.
    init(labelled reply: String, values: MockValues) {
        let beforeStop = Self.text(reply, before: values.strings(MockParameter.stop.name))
        let words = Words.split(beforeStop.isEmpty ? "" : " \(beforeStop)")
        let limit = values.integer(MockParameter.maxTokens.name) ?? .max
        pieces = [MockRunners.label] + words.prefix(limit).map(String.init)
        tokens = min(words.count, limit)
        finishReason = words.count > limit ? .length : .stop
    }

    /// A value of the guided output's schema, as compact JSON with sorted keys: whole, or an error.
    init(guidedBy schema: JSONValue, values: MockValues) throws {
        let json = try SchemaSample.value(for: schema, parameter: "guidedOutput").compactText()
        pieces = Self.pieces(of: json).map(String.init)
        tokens = pieces.count
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
    private static func pieces(of json: String) -> [Substring] {
        var pieces: [Substring] = []
        var rest = json[...]
        while let end = rest.firstIndex(where: { $0 == "," || $0 == ":" }) {
            pieces.append(rest[...end])
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? pieces : pieces + [rest]
    }
}

extension MockStage {
    func send(_ answer: TextAnswer, of turn: MockTurn, into sink: ChunkSink) async throws {
        try await send(answer.pieces, of: turn, into: sink) { .text($0.joined()) }
    }
}
