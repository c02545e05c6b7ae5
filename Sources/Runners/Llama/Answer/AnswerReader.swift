#if Llama
import BreezeCore
import CLlamaCommon
import Foundation

/// Reads a chat answer as it grows: its text, the thinking before it, and tool calls.
struct AnswerReader {
    /// What a piece brought.
    struct Parts {
        var reasoning = ""
        var text = ""
        var toolCalls: [ToolCall] = []

        var isEmpty: Bool { reasoning.isEmpty && text.isEmpty && toolCalls.isEmpty }
    }

    /// llama.cpp's parser for a template with tools reads the whole answer at each call.
    private struct Whole {
        var raw = ""
        var reasoning = ""
        var text = ""
        /// Bytes that were there when it was read last.
        var seen = 0
    }

    private let applied: ChatTemplates.Applied
    private let requestID: String
    private var splitter: ThinkingSplitter
    private var whole: Whole?

    /// `calls`: the request has tools.
    init(_ applied: ChatTemplates.Applied, requestID: String, calls: Bool) {
        self.applied = applied
        self.requestID = requestID
        splitter = ThinkingSplitter(applied.thinking)
        whole = calls && applied.hasParser ? Whole() : nil
    }

    mutating func append(_ piece: String) throws -> Parts {
        guard var whole else {
            let parts = splitter.append(piece)
            return Parts(reasoning: parts.reasoning, text: parts.text)
        }
        defer { self.whole = whole }
        whole.raw += piece
        // Reading the whole at each token would cost the square of its length.
        guard whole.raw.utf8.count - whole.seen > whole.raw.utf8.count / 64 else { return Parts() }
        return try read(&whole, isLast: false)
    }

    mutating func finish() throws -> Parts {
        guard var whole else {
            let parts = splitter.finish()
            return Parts(reasoning: parts.reasoning, text: parts.text)
        }
        return try read(&whole, isLast: true)
    }

    private struct Message: Decodable {
        struct Call: Decodable {
            struct Function: Decodable {
                let name: String
                let arguments: String
            }

            let id: String?
            let function: Function
        }

        let content: String?
        let reasoning_content: String?
        let tool_calls: [Call]?
    }

    private func read(_ whole: inout Whole, isLast: Bool) throws -> Parts {
        whole.seen = whole.raw.utf8.count
        let json = try lcText("read the model's answer", code: .invalidOutput) {
            lc_parse(applied.json, whole.raw, !isLast, &$0)
        }
        let message = try JSONDecoder().decode(Message.self, from: Data(json.utf8))
        var parts = Parts()
        parts.reasoning = Self.advance(&whole.reasoning, to: message.reasoning_content)
        parts.text = Self.advance(&whole.text, to: message.content)
        // The arguments of a call are whole when the answer is.
        if isLast { parts.toolCalls = try (message.tool_calls ?? []).enumerated().map(call) }
        return parts
    }

    /// What is new; nothing where the parser thought better of what it had said before.
    private static func advance(_ said: inout String, to now: String?) -> String {
        guard let now, now.utf8.count > said.utf8.count, now.utf8.starts(with: said.utf8) else { return "" }
        defer { said = now }
        return String(decoding: now.utf8.dropFirst(said.utf8.count), as: UTF8.self)
    }

    private func call(_ index: Int, _ call: Message.Call) throws -> ToolCall {
        guard
            let arguments = try? JSONDecoder().decode(
                JSONValue.self,
                from: Data(call.function.arguments.utf8)
            ),
            arguments.objectValue != nil
        else {
            throw BreezeError(
                .invalidOutput,
                "The model called \(call.function.name) with arguments that are no JSON object.",
                remedy: "Ask again, or allow more tokens if the answer was cut off."
            )
        }
        let id = call.id.flatMap { $0.isEmpty ? nil : $0 } ?? "call_\(requestID)_\(index)"
        return ToolCall(id: id, name: call.function.name, arguments: arguments)
    }
}
#endif
