package import BreezeCore
package import Foundation

/// `chat.completion.chunk` events. Each choice has its role first, then its text, thinking and calls, then its
/// reason to end; then come the usage, where it was asked for, and `[DONE]`. The `breeze` object stands on the last
/// chunk. Log-probabilities stand on the chunk that ends their choice, whole: only the result knows them.
package struct OpenAIChatStream: WireStream {
    package static let contentType = EventStream.contentType

    private let generation: Generation
    /// Every chunk up to its choices.
    private let head: [UInt8]
    private var choices: [StreamedChoice]
    private var results: [InferenceResult] { choices.compactMap(\.result) }

    package init(_ generation: Generation, created: Date) {
        self.generation = generation
        choices = Array(repeating: StreamedChoice(), count: generation.requests.count)
        var writer = JSONWriter(reserving: 256)
        writer.field("id", "chatcmpl-\(generation.id)")
        writer.field("object", "chat.completion.chunk")
        writer.field("created", WireTime.seconds(created))
        writer.field("model", generation.model)
        head = Array("data: {".utf8) + writer.bytes + Array(",\"choices\":[".utf8)
    }

    package mutating func encode(_ chunk: InferenceChunk, choice index: Int = 0) throws -> [UInt8] {
        guard choices.indices.contains(index), !choices[index].hasEnded else { return [] }
        switch chunk.content {
        case .text(let text):
            choices[index].hasText = true
            return piece(index, text, "content")
        case .reasoning(let text): return piece(index, text, "reasoning_content")
        case .toolCall(let call): return try opening(index) + self.call(index, call)
        case .progress(let progress): return EventStream.comment(progress)
        case .result(let result): return try ending(index, result)
        case .audio, .embedding, .classification: return []
        }
    }

    package mutating func finish() -> [UInt8] {
        guard generation.includesUsage else { return EventStream.done }
        return element { writer in
            OpenAIValues.usage(results, to: &writer)
            writer.field("breeze", BreezeAccount(results, generation.remarks))
        } + EventStream.done
    }

    package mutating func fail(_ error: BreezeError) -> [UInt8] {
        EventStream.event(WireFailure.event(error)) + EventStream.done
    }

    private mutating func opening(_ index: Int) -> [UInt8] {
        guard !choices[index].hasRole else { return [] }
        choices[index].hasRole = true
        return delta(index) { writer in
            writer.field("role", "assistant")
            writer.field("content", "")
        }
    }

    private mutating func piece(_ index: Int, _ text: String, _ name: StaticString) -> [UInt8] {
        opening(index) + delta(index) { $0.field(name, text) }
    }

    /// The name first, then the arguments, as clients put calls together.
    private mutating func call(_ index: Int, _ call: ToolCall) throws -> [UInt8] {
        guard choices[index].calls.insert(call.id).inserted else { return [] }
        let place = choices[index].calls.count - 1
        guard generation.allowsParallelCalls || place == 0 else { throw generation.tooManyCalls }
        let name = delta(index) { writer in
            part(place, to: &writer) { writer in
                writer.field("id", call.id)
                writer.field("type", "function")
                writer.object("function") { writer in
                    writer.field("name", call.name)
                    writer.field("arguments", "")
                }
            }
        }
        let arguments = delta(index) { writer in
            part(place, to: &writer) { writer in
                writer.object("function") { $0.field("arguments", call.arguments.wireText) }
            }
        }
        return name + arguments
    }

    private func part(_ place: Int, to writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
        writer.array("tool_calls") { writer in
            writer.object { writer in
                writer.field("index", place)
                members(&writer)
            }
        }
    }

    private mutating func ending(_ index: Int, _ result: InferenceResult) throws -> [UInt8] {
        var bytes = opening(index)
        // A runner that does not stream has said nothing yet.
        if let text = result.output.text, !text.isEmpty, !choices[index].hasText {
            bytes += piece(index, text, "content")
        }
        for call in result.toolCalls { bytes += try self.call(index, call) }
        choices[index].result = result
        let isLast = choices.allSatisfy(\.hasEnded) && !generation.includesUsage
        let account = isLast ? BreezeAccount(results, generation.remarks) : nil
        return bytes
            + event(
                index,
                ending: { writer in
                    OpenAIValues.logprobs(result, top: generation.topLogprobs, to: &writer)
                    writer.field("finish_reason", OpenAIValues.finishReason(result))
                },
                account: account
            )
    }

    private func delta(_ index: Int, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        event(index, delta: members, ending: { $0.field(null: "finish_reason") })
    }

    private func event(
        _ index: Int,
        delta: (inout JSONWriter) -> Void = { _ in },
        ending: (inout JSONWriter) -> Void,
        account: BreezeAccount? = nil
    ) -> [UInt8] {
        var writer = JSONWriter(reserving: 128)
        writer.object { writer in
            writer.field("index", index)
            writer.object("delta", delta)
            ending(&writer)
        }
        return element(choice: writer.bytes) { $0.field("breeze", ifPresent: account) }
    }

    /// With no choice, the list of them is empty.
    private func element(choice: [UInt8] = [], _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        members(&writer)
        var bytes = head
        bytes.reserveCapacity(head.count + choice.count + writer.bytes.count + 8)
        bytes += choice
        bytes.append(UInt8(ascii: "]"))
        if !writer.bytes.isEmpty {
            bytes.append(UInt8(ascii: ","))
            bytes += writer.bytes
        }
        bytes += "}\n\n".utf8
        return bytes
    }
}

/// How far one choice of a stream is.
struct StreamedChoice: Sendable {
    var hasRole = false
    var hasText = false
    var result: InferenceResult?
    var hasEnded: Bool { result != nil }
    /// Ids of the calls that were sent.
    var calls: Set<String> = []
}
