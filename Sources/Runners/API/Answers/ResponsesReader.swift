import BreezeCore
import BreezeTransport

/// Reads answers of `responses`.
struct ResponsesReader: AnswerReader {
    private(set) var answer = ReceivedAnswer()

    mutating func read(_ event: JSONValue) throws -> [AnswerPiece] {
        if let failure = APIFailure(reported: event) { throw failure }
        let delta = event["delta"]?.stringValue ?? ""
        switch event["type"]?.stringValue {
        case "response.output_text.delta":
            take(logprobs: event["logprobs"])
            return answer.add(text: delta)
        case "response.refusal.delta": return answer.add(refusal: delta)
        case "response.reasoning_text.delta", "response.reasoning_summary_text.delta":
            return delta.isEmpty ? [] : [.reasoning(delta)]
        case "response.function_call_arguments.delta":
            answer.change(call: key(event)) { $0.arguments += delta }
        case "response.output_item.added", "response.output_item.done":
            if let item = event["item"], item["type"]?.stringValue == "function_call" {
                take(call: item, key: key(event))
            }
        case "response.completed", "response.incomplete", "response.failed":
            if let response = event["response"] { try end(response) }
        default: break
        }
        return []
    }

    mutating func readWhole(_ body: JSONValue) throws -> [AnswerPiece] {
        if let failure = APIFailure(reported: body) { throw failure }
        guard let output = body["output"]?.arrayValue else {
            throw BreezeError(
                .invalidResponse,
                "The service's answer holds no output.",
                remedy: "Check that the address is that of a server with the responses API."
            )
        }
        var pieces: [AnswerPiece] = []
        for (index, item) in output.enumerated() {
            switch item["type"]?.stringValue {
            case "message":
                for part in item["content"]?.arrayValue ?? [] {
                    take(logprobs: part["logprobs"])
                    if let text = part["text"]?.stringValue { pieces += answer.add(text: text) }
                    if let text = part["refusal"]?.stringValue { pieces += answer.add(refusal: text) }
                }
            case "function_call": take(call: item, key: "\(index)")
            case "reasoning":
                let parts = (item["summary"]?.arrayValue ?? []) + (item["content"]?.arrayValue ?? [])
                pieces += parts.compactMap { $0["text"]?.stringValue }.filter { !$0.isEmpty }
                    .map { .reasoning($0) }
            default: break
            }
        }
        try end(body)
        return pieces
    }

    /// Parts of a call name the item, or its place in the output.
    private func key(_ event: JSONValue) -> String {
        event["output_index"]?.intValue.map { "\($0)" } ?? event["item_id"]?.stringValue
            ?? event["item"]?["id"]?.stringValue ?? ""
    }

    /// The finished item has the whole of the arguments, whatever deltas came before.
    private mutating func take(call item: JSONValue, key: String) {
        answer.change(call: key) { call in
            if let id = item["call_id"]?.stringValue { call.id = id }
            if let name = item["name"]?.stringValue { call.name = name }
            if let arguments = item["arguments"]?.stringValue, !arguments.isEmpty {
                call.arguments = arguments
            }
        }
    }

    private mutating func take(logprobs: JSONValue?) {
        answer.logprobs += (logprobs?.arrayValue ?? []).compactMap { TokenLogprobs($0) }
    }

    private mutating func end(_ response: JSONValue) throws {
        if let failure = APIFailure(reported: response) { throw failure }
        answer.model = response["model"]?.stringValue
        if let usage = response["usage"], usage.objectValue != nil { answer.usage = Usage(usage) }
        switch response["status"]?.stringValue {
        case "failed", "cancelled": throw APIFailure()
        case "incomplete":
            answer.end(response["incomplete_details"]?["reason"]?.stringValue ?? "incomplete")
        case "completed", nil: answer.finish = .stop
        case let status?:
            throw BreezeError(.invalidResponse, "The service's answer ended as \(status.prefix(40)).")
        }
    }
}
