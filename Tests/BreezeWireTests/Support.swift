import BreezeCore
import BreezeWire
import Foundation
import Testing

/// 2026-01-31T12:00:00Z: `date -u -d 2026-01-31T12:00:00Z +%s`.
let noon = Date(timeIntervalSince1970: 1_769_860_800)

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Reads by Foundation, not by our own parser.
func json(_ bytes: some Sequence<UInt8>) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
}

func json(_ text: String) throws -> JSONValue { try json(text.utf8) }

extension JSONValue {
    /// The value without what Breeze adds: a test of its own looks at that.
    var withoutBreeze: JSONValue {
        guard case .object(var members) = self else { return self }
        members["breeze"] = nil
        if let response = members["response"] { members["response"] = response.withoutBreeze }
        return .object(members)
    }

    subscript(path: String...) -> JSONValue? {
        path.reduce(Optional(self)) { value, key in
            if let index = Int(key), let list = value?.arrayValue {
                return list.indices.contains(index) ? list[index] : nil
            }
            return value?.objectValue?[key]
        }
    }
}

/// The `data` of each event, `[DONE]` as a string; comments are left out.
func events(_ bytes: [UInt8]) throws -> [JSONValue] {
    try String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n\n").compactMap { block in
        let lines = block.components(separatedBy: "\n").filter { !$0.hasPrefix(":") && !$0.isEmpty }
        guard let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst(6) else { return nil }
        return data == "[DONE]" ? "[DONE]" : try json(data.utf8)
    }
}

func lines(_ bytes: [UInt8]) throws -> [JSONValue] {
    try String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { try json($0.utf8) }
}

func result(
    _ text: String = "Hello",
    id: String = "r1",
    calls: [ToolCall] = [],
    finish: InferenceResult.FinishReason = .stop,
    logprobs: [TokenLogprobs]? = nil
) -> InferenceResult {
    InferenceResult(
        requestID: id,
        output: .text(text),
        runner: "mock-llm",
        toolCalls: calls,
        finishReason: finish,
        usage: Usage(inputTokens: 3, outputTokens: 2),
        timings: Timings(queue: 0.25, load: 0.5, run: 1.5, total: 2.25, prefill: 0.5, decode: 1),
        logprobs: logprobs
    )
}

let addCall = ToolCall(id: "t1", name: "add", arguments: ["a": 1])

func chunk(_ content: InferenceChunk.Content) -> InferenceChunk { InferenceChunk(requestID: "r1", content) }

/// What a parser throws, which has to be a ``BreezeError``.
func failure(_ body: () throws -> Void, _ location: SourceLocation = #_sourceLocation) -> BreezeError? {
    #expect(throws: BreezeError.self, sourceLocation: location) { try body() }
}
