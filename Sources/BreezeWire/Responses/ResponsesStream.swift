package import BreezeCore
package import Foundation

/// The typed events of a streamed response, each with its `sequence_number`. An item is open from its first piece
/// to the first piece of another kind.
package struct ResponsesStream: WireStream {
    package static let contentType = EventStream.contentType

    private let call: ResponsesCall
    private let created: Date
    private var sequence = 0
    private var hasBegun = false
    private var hasEnded = false
    /// What was put out; the last one may be open.
    private var items: [ResponsesItem] = []
    private var isOpen = false
    private var hasText = false
    private var calls: Set<String> = []
    /// Events on their way out.
    private var out: [UInt8] = []

    package init(_ call: ResponsesCall, created: Date) {
        self.call = call
        self.created = created
    }

    package mutating func encode(_ chunk: InferenceChunk, choice: Int = 0) throws -> [UInt8] {
        guard !hasEnded else { return [] }
        begin()
        switch chunk.content {
        case .text(let text): append(text, isThought: false)
        case .reasoning(let text): append(text, isThought: true)
        case .toolCall(let call): try put(call)
        case .progress(let progress): out += EventStream.comment(progress)
        case .result(let result): try end(result)
        case .audio, .embedding, .classification: break
        }
        return flush()
    }

    /// The last event says that it was the last.
    package mutating func finish() -> [UInt8] { [] }

    package mutating func fail(_ error: BreezeError) -> [UInt8] {
        guard !hasEnded else { return [] }
        begin()
        hasEnded = true
        let (call, created, items) = (call, created, items)
        event("response.failed") { writer in
            writer.object("response") { call.write(.failed(error), items, created, to: &$0) }
        }
        // Clients raise an exception where an event has a member `error`, and for no other reason.
        event("error") { writer in
            writer.field("code", WireFailure.code(of: error))
            writer.field("message", WireFailure.sentence(error))
            writer.field("param", error.wireField)
            writer.object("error") { WireFailure.write(error, to: &$0) }
        }
        return flush()
    }

    private mutating func flush() -> [UInt8] {
        defer { out = [] }
        return out
    }

    private mutating func event(_ type: String, _ members: (inout JSONWriter) -> Void) {
        let json = JSONWriter.object { writer in
            writer.field("type", type)
            writer.field("sequence_number", sequence)
            members(&writer)
        }
        sequence += 1
        out += EventStream.event(json, name: type)
    }

    private mutating func begin() {
        guard !hasBegun else { return }
        hasBegun = true
        let (call, created) = (call, created)
        for type in ["response.created", "response.in_progress"] {
            event(type) { writer in
                writer.object("response") { call.write(.begun, [], created, to: &$0) }
            }
        }
    }

    private mutating func end(_ result: InferenceResult) throws {
        // A runner that does not stream has said nothing yet.
        if let text = result.output.text, !text.isEmpty, !hasText { append(text, isThought: false) }
        for call in result.toolCalls { try put(call) }
        if !items.contains(where: { if case .reasoning = $0 { false } else { true } }) {
            append("", isThought: false)
        }
        let logprobs = ResponsesLogprobs(result, top: call.generation.topLogprobs)
        close(logprobs)
        hasEnded = true
        let isWhole = ResponsesCall.incompleteness(result) == nil
        let (call, created, items) = (call, created, items)
        event(isWhole ? "response.completed" : "response.incomplete") { writer in
            writer.object("response") { call.write(.ended(result), items, created, to: &$0) }
        }
    }
}

extension ResponsesStream {
    private var place: Int { items.count - 1 }

    /// Takes a piece of text into the open item, or into a new one of its kind.
    private mutating func append(_ text: String, isThought: Bool) {
        switch items.last {
        case .message(let id, let whole) where isOpen && !isThought:
            items[place] = .message(id: id, text: whole + text)
        case .reasoning(let id, let whole) where isOpen && isThought:
            items[place] = .reasoning(id: id, text: whole + text)
        default:
            close()
            open(isThought: isThought)
            return append(text, isThought: isThought)
        }
        if !isThought { hasText = true }
        guard !text.isEmpty else { return }
        let (id, place) = (items[place].id, place)
        event(isThought ? "response.reasoning_text.delta" : "response.output_text.delta") { writer in
            Self.position(id, place, to: &writer)
            writer.field("delta", text)
            if !isThought { writer.array("logprobs") { _ in } }
        }
    }

    private static func position(_ id: String, _ place: Int, to writer: inout JSONWriter) {
        writer.field("item_id", id)
        writer.field("output_index", place)
        writer.field("content_index", 0)
    }

    private mutating func open(isThought: Bool) {
        let id = call.itemID(isThought ? "rs" : "msg", items.count)
        let item: ResponsesItem = isThought ? .reasoning(id: id, text: "") : .message(id: id, text: "")
        items.append(item)
        isOpen = true
        added(item)
        let place = place
        event("response.content_part.added") { writer in
            Self.position(id, place, to: &writer)
            writer.object("part") { writer in
                if isThought {
                    ResponsesItem.thought("", to: &writer)
                } else {
                    ResponsesItem.text("", nil, to: &writer)
                }
            }
        }
    }

    private mutating func added(_ item: ResponsesItem) {
        let place = place
        event("response.output_item.added") { writer in
            writer.field("output_index", place)
            writer.key("item")
            item.write(status: "in_progress", logprobs: nil, to: &writer)
        }
    }

    private mutating func done(_ item: ResponsesItem, _ logprobs: ResponsesLogprobs? = nil) {
        let place = place
        event("response.output_item.done") { writer in
            writer.field("output_index", place)
            writer.key("item")
            item.write(status: "completed", logprobs: logprobs, to: &writer)
        }
        isOpen = false
    }

    /// Ends the open item.
    private mutating func close(_ logprobs: ResponsesLogprobs? = nil) {
        guard isOpen, let item = items.last else { return }
        let place = place
        switch item {
        case .message(let id, let text):
            event("response.output_text.done") { writer in
                Self.position(id, place, to: &writer)
                writer.field("text", text)
                writer.array("logprobs") { logprobs?.write(to: &$0) }
            }
            event("response.content_part.done") { writer in
                Self.position(id, place, to: &writer)
                writer.object("part") { ResponsesItem.text(text, logprobs, to: &$0) }
            }
        case .reasoning(let id, let text):
            event("response.reasoning_text.done") { writer in
                Self.position(id, place, to: &writer)
                writer.field("text", text)
            }
            event("response.content_part.done") { writer in
                Self.position(id, place, to: &writer)
                writer.object("part") { ResponsesItem.thought(text, to: &$0) }
            }
        case .call: break
        }
        done(item, logprobs)
    }

    private mutating func put(_ toolCall: ToolCall) throws {
        guard calls.insert(toolCall.id).inserted else { return }
        guard call.generation.allowsParallelCalls || calls.count == 1 else {
            throw call.generation.tooManyCalls
        }
        close()
        let id = call.itemID("fc", items.count)
        let item = ResponsesItem.call(id: id, toolCall)
        items.append(item)
        added(item)
        let (place, arguments) = (place, toolCall.arguments.wireText)
        event("response.function_call_arguments.delta") { writer in
            writer.field("item_id", id)
            writer.field("output_index", place)
            writer.field("delta", arguments)
        }
        event("response.function_call_arguments.done") { writer in
            writer.field("item_id", id)
            writer.field("output_index", place)
            writer.field("name", toolCall.name)
            writer.field("arguments", arguments)
        }
        done(item)
    }
}
