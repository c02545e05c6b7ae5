import BreezeCore
import BreezeSchema
import Foundation

/// What an event adds to the answer.
enum AnswerPiece: Equatable {
    case text(String)
    case reasoning(String)
}

/// Reads one dialect's answers, as a stream's events or whole.
protocol AnswerReader {
    var answer: ReceivedAnswer { get }

    /// One event of a stream. A failure that the service reports is thrown as an ``APIFailure``.
    mutating func read(_ event: JSONValue) throws -> [AnswerPiece]

    /// The body of an answer in one piece.
    mutating func readWhole(_ body: JSONValue) throws -> [AnswerPiece]
}

/// An answer while it grows.
struct ReceivedAnswer {
    struct PartialCall {
        /// By which its later parts name it.
        var key: String
        var id = ""
        var name = ""
        var arguments = ""
    }

    var text = ""
    var refusal = ""
    var calls: [PartialCall] = []
    /// `nil` until the service said that the answer is whole.
    var finish: InferenceResult.FinishReason?
    var usage = Usage()
    var logprobs: [TokenLogprobs] = []
    /// Who answered, as the service says.
    var model: String?
    var provider: String?
    var notices: [String] = []

    mutating func add(text piece: String) -> [AnswerPiece] {
        guard !piece.isEmpty else { return [] }
        text += piece
        return [.text(piece)]
    }

    /// A refusal is the answer that a person gets to see.
    mutating func add(refusal piece: String) -> [AnswerPiece] {
        refusal += piece
        return add(text: piece)
    }

    /// What comes for `key` from now on belongs to a new call.
    mutating func begin(call key: String) { calls.append(PartialCall(key: key)) }

    mutating func change(call key: String, _ change: (inout PartialCall) -> Void) {
        let index = calls.lastIndex { $0.key == key } ?? calls.count
        if index == calls.count { begin(call: key) }
        change(&calls[index])
    }

    /// The words that compatible servers end with.
    mutating func end(_ reason: String) {
        switch reason {
        case "stop", "eos", "end_turn", "stop_sequence": finish = .stop
        case "length", "max_tokens", "max_output_tokens": finish = .length
        case "tool_calls", "function_call", "tool_use": finish = .toolCalls
        case "content_filter": finish = .contentFilter
        default:
            finish = .stop
            notices.append("The service ended the answer for a reason of its own: \(reason.prefix(40)).")
        }
    }
}

extension ReceivedAnswer {
    /// The finished answer's reason: calls and refusals outrank what the service says, since some end both with
    /// `stop`.
    var finishReason: InferenceResult.FinishReason {
        if !refusal.isEmpty { return .contentFilter }
        if !calls.isEmpty, finish == .stop || finish == nil { return .toolCalls }
        return finish ?? .stop
    }

    /// The calls, held against the tools that the request has.
    /// - Throws: ``BreezeError/Code/invalidOutput``.
    func toolCalls(_ tools: [ToolDefinition], requestID: String) throws -> [ToolCall] {
        try calls.enumerated().map { index, call in
            guard let tool = tools.first(where: { $0.name == call.name }) else {
                throw Self.invalid("The model called a tool that the request does not have.")
            }
            let text = call.arguments.isEmpty ? "{}" : call.arguments
            guard let arguments = try? JSONValue(parsing: Array(text.utf8)), arguments.objectValue != nil
            else {
                throw Self.invalid("The model called \(call.name) with arguments that are no JSON object.")
            }
            var check = SchemaCheck(root: tool.parameters)
            // A tool's schema may hold more than the check knows: then the tool itself is what refuses.
            if let broken = (try? check.violation(of: arguments, by: tool.parameters)) ?? nil {
                throw Self.invalid(
                    "The model called \(call.name) with arguments that break the schema's \(broken)."
                )
            }
            let id = call.id.isEmpty ? "call_\(requestID)_\(index)" : call.id
            return ToolCall(id: id, name: call.name, arguments: arguments)
        }
    }

    /// Holds a finished text against the schema that was asked for.
    /// - Throws: ``BreezeError/Code/invalidOutput``.
    func validate(_ schema: JSONValue) throws {
        // A model that calls a tool answers later.
        guard calls.isEmpty || !text.isEmpty else { return }
        guard refusal.isEmpty else { throw Self.invalid("The model refused to answer.") }
        guard let value = try? JSONValue(parsing: Array(text.utf8)) else {
            throw Self.invalid(
                finish == .length
                    ? "The model's answer ended before its JSON was whole."
                    : "The model's answer is not the JSON that was asked for."
            )
        }
        var check = SchemaCheck(root: schema)
        if let broken = try check.violation(of: value, by: schema) {
            throw Self.invalid("The model's answer breaks the schema's \(broken).")
        }
    }

    private static func invalid(_ message: String) -> BreezeError {
        BreezeError(
            .invalidOutput,
            message,
            remedy: "Ask again, or allow more tokens (maxTokens) if the answer was cut off."
        )
    }
}

extension Usage {
    /// Both dialects' names; what is missing counts as none.
    init(_ fields: JSONValue) {
        let details = fields["prompt_tokens_details"] ?? fields["input_tokens_details"]
        let cached = details?["cached_tokens"]?.intValue ?? 0
        self.init(
            inputTokens: (fields["prompt_tokens"] ?? fields["input_tokens"])?.intValue ?? 0,
            outputTokens: (fields["completion_tokens"] ?? fields["output_tokens"])?.intValue ?? 0,
            cachedTokens: cached > 0 ? cached : nil
        )
    }
}

extension TokenLogprobs {
    /// Services name no token numbers: each has -1.
    init?(_ fields: JSONValue) {
        guard let chosen = Entry(fields) else { return nil }
        self.init(chosen: chosen, top: (fields["top_logprobs"]?.arrayValue ?? []).compactMap(Entry.init))
    }
}

extension TokenLogprobs.Entry {
    fileprivate init?(_ fields: JSONValue) {
        guard let token = fields["token"]?.stringValue, let logprob = fields["logprob"]?.doubleValue else {
            return nil
        }
        let bytes = fields["bytes"]?.arrayValue?.compactMap { $0.intValue.flatMap { UInt8(exactly: $0) } }
        self.init(id: -1, token: token, bytes: bytes ?? Array(token.utf8), logprob: logprob)
    }
}
